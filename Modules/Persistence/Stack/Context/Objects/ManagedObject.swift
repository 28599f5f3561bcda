import StrataCore

/// An object's identity inside one context, whatever its record type.
///
/// ``Managed`` is the only kind there is.
public class ManagedObject {
    /// The identifier as a number.
    public final let rawID: Int64
    /// The version of the row the object was read from, or will have after its first save.
    public final internal(set) var version: Int64

    /// Where the object belongs, or what it was and where it belongs; unchecked as the record is.
    @exclusivity(unchecked) final var link: ObjectLink
    // Small things last and side by side: a fetch makes many objects.
    /// The object's place in its context's list of new or changed objects; -1 outside.
    final var slot: Int32 = -1
    /// What becomes of the object at the next save.
    public final internal(set) var state: ObjectState
    /// Whether the context has to hear of the next write.
    ///
    /// `@usableFromInline` because the property accessors of ``Managed`` are inlined into callers.
    @usableFromInline final var needsNotice = true

    /// Whether a property was written since the record's initialiser made the values: they may be such as it would refuse.
    final var wasWritten = false

    /// `@usableFromInline`, and the subclass's initialiser with it, because objects are made in the record types' modules.
    @usableFromInline
    init(rawID: Int64, state: ObjectState, version: Int64, ownership: ObjectOwnership) {
        self.rawID = rawID
        self.state = state
        self.version = version
        link = ownership
    }

    /// Where the object belongs.
    final var ownership: ObjectOwnership {
        // SAFETY: a link that leads nowhere is an ownership.
        unsafe link.ownership ?? unsafeDowncast(link, to: ObjectOwnership.self)
    }

    /// Whether the values are kept as they were read or saved last.
    final var hasBase: Bool { link.ownership != nil }

    /// The entity's name.
    public final var entityName: String { ownership.entity.name }

    /// Whether the object differs from what its context's parent or store has.
    ///
    /// A property written with the value it had is no change.
    public final var hasChanges: Bool {
        switch state {
        case .inserted, .deleted: true
        case .updated: !changedColumns().isEmpty
        case .unchanged, .detached: false
        }
    }

    /// The values that differ from those read or saved last, by property; all of a new object.
    public final func changedValues() -> [String: StoredValue] {
        guard state != .detached else { return [:] }
        let values = currentRow().values
        let places = state == .inserted ? Array(values.indices) : changedColumns()
        return named(values, places)
    }

    /// The values as they were read or saved last, by property; `nil` before the first save.
    public final func committedValues() -> [String: StoredValue]? {
        committedRow().map { named($0, Array($0.indices)) }
    }

    private func named(_ values: [StoredValue], _ places: [Int]) -> [String: StoredValue] {
        let columns = ownership.entity.columns
        return Dictionary(uniqueKeysWithValues: places.map { (columns[$0].name, values[$0]) })
    }

    /// Whether the object will not be there after the save.
    final var isGone: Bool { state == .deleted || state == .detached }

    // MARK: What only the typed class knows

    /// The current values, and those that cannot be stored.
    func currentRow() -> (values: [StoredValue], failures: [ValidationFailure]) { ([], []) }

    /// The values as they were read or saved last; `nil` before the first save.
    func committedRow() -> [StoredValue]? { nil }

    /// Takes the values as the current ones, as if a property had been written.
    func write(_ values: [StoredValue]) throws {}

    /// Takes a value as a column's current one, as if the property had been written.
    func write(_ value: StoredValue, column: Int) throws {}

    /// A column's current value; null where it cannot be stored.
    func value(at column: Int) -> StoredValue { .null }

    /// A column's value as it was read or saved last; `nil` before the first save.
    func committedValue(at column: Int) -> StoredValue? { nil }

    /// Takes a row as what the store has.
    ///
    /// Where that makes no record it throws, and the object is as before.
    func rebase(onto row: StoredRow, _ merging: RowMerging) throws {}

    /// Takes a row as what others made of it, under changes of one's own: what both changed stays a conflict for the save to find.
    ///
    /// Where that makes no record it throws, and the object is as before.
    func absorb(_ row: StoredRow) throws {}

    /// Takes the current values as what the store has.
    func commit(version: Int64) { self.version = version }

    /// Takes what the store has as the current values.
    func revert() {}

    /// Gives what puts the object back as it is now.
    func restoration() -> () -> Void { {} }

    /// Keeps the values as they are, because they are about to change.
    func keepBase() {}

    /// Makes this new object an update of a row that the store has already.
    func becomeUpdate(of row: StoredRow) throws {}

    /// Makes this changed object, whose row is gone, a new one.
    func becomeInsertion() {}

    /// Why the record's initialiser would refuse the values; `nil` when it would not.
    func refusal(of values: [StoredValue]) -> ValidationFailure? { nil }

    /// Lets a visitor work with the typed object.
    func accept(_ visitor: inout some ObjectVisitor) throws {}

    /// The places of the columns whose values differ from what the store had.
    final func changedColumns() -> [Int] { changedColumns(currentRow()) }

    /// The same, of the current row.
    final func changedColumns(_ row: (values: [StoredValue], failures: [ValidationFailure])) -> [Int] {
        guard let committed = committedRow() else { return [] }
        // A value that cannot be stored is a change that the save will refuse.
        if !row.failures.isEmpty { return Array(row.values.indices) }
        return row.values.indices.filter { row.values[$0] != committed[$0] }
    }

    /// Tells the context that a property is about to be written.
    @usableFromInline
    final func willChange() {
        guard let context = ownership.context else {
            fatalError("\(entityName) \(rawID) was written to after its context had ended; the write would be lost")
        }
        context.willChange(self)
    }

    /// Tells the context that a property was written.
    @usableFromInline
    final func didChange() {
        if ownership.identityMap?.traits.watchesValues == true { ownership.context?.didChange(self) }
    }
}

/// What becomes of an object's own changes when its row is read again.
enum RowMerging {
    /// They are given up.
    case dropChanges
    /// They stay on top of the row.
    case keepChanges
    /// They stay where the row has not changed too.
    case keepUncontested
    /// All of the object's values stay, those that never changed too.
    case keepEverything
}
