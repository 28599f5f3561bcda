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
        let values = typed.currentRow().values
        let places = state == .inserted ? Array(values.indices) : changedColumns()
        return named(values, places)
    }

    /// The values as they were read or saved last, by property; `nil` before the first save.
    public final func committedValues() -> [String: StoredValue]? {
        typed.committedRow().map { named($0, Array($0.indices)) }
    }

    private func named(_ values: [StoredValue], _ places: [Int]) -> [String: StoredValue] {
        let columns = ownership.entity.columns
        return Dictionary(uniqueKeysWithValues: places.map { (columns[$0].name, values[$0]) })
    }

    /// Whether the object will not be there after the save.
    final var isGone: Bool { state == .deleted || state == .detached }

    /// The object with its type.
    ///
    /// A class cannot be abstract: every object is a ``Managed``, which overrides it.
    var typed: any TypedObject { preconditionFailure("an object without a record type") }

    /// The places of the columns whose values differ from what the store had.
    final func changedColumns() -> [Int] { changedColumns(typed.currentRow()) }

    /// The same, of the current row.
    final func changedColumns(_ row: (values: [StoredValue], failures: [ValidationFailure])) -> [Int] {
        guard let committed = typed.committedRow() else { return [] }
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
