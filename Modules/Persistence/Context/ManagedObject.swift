/// An object's identity inside one context, whatever its record type.
///
/// ``Managed`` is the only kind there is.
public class ManagedObject {
    /// The entity's name.
    public let entityName: String
    /// The identifier as a number.
    public let rawID: Int64
    /// What becomes of the object at the next save.
    public internal(set) var state: ObjectState
    /// The version of the row the object was read from, or will have after its first save.
    public internal(set) var version: Int64

    unowned let context: WorkingContext

    init(entityName: String, rawID: Int64, state: ObjectState, version: Int64, context: WorkingContext) {
        self.entityName = entityName
        self.rawID = rawID
        self.state = state
        self.version = version
        self.context = context
    }

    /// Whether the object differs from what the store has.
    public var hasChanges: Bool {
        switch state {
        case .inserted, .deleted: true
        case .updated: !changedColumns().isEmpty
        case .unchanged, .detached: false
        }
    }

    // MARK: What only the typed class knows

    /// The current values, and those that cannot be stored.
    func currentRow() -> (values: [StoredValue], failures: [ValidationFailure]) { ([], []) }

    /// The values as they were read or saved last; `nil` before the first save.
    func committedValues() -> [StoredValue]? { nil }

    /// Takes the values as the current ones, as if a property had been written.
    func write(_ values: [StoredValue]) throws {}

    /// Takes a row as what the store has.
    ///
    /// Changes made here stay on top of it when they are kept. Where that makes no record it throws, and the object is as before.
    func rebase(onto row: StoredRow, keepingChanges: Bool) throws {}

    /// Takes the current values as what the store has.
    func commit(version: Int64) {}

    /// Takes what the store has as the current values.
    func revert() {}

    /// The places of the columns whose values differ from what the store had.
    final func changedColumns() -> [Int] {
        guard let committed = committedValues() else { return [] }
        let (current, failures) = currentRow()
        // A value that cannot be stored is a change that the save will refuse.
        if !failures.isEmpty { return Array(current.indices) }
        return current.indices.filter { current[$0] != committed[$0] }
    }

    /// Notes a write.
    ///
    /// `@usableFromInline` because the property accessors of ``Managed`` are inlined into callers.
    @usableFromInline
    final func willChange() {
        if state == .updated || state == .inserted { return }
        context.willChange(self)
    }
}
