import StrataCore

/// The identity of an object inside one context, independent of its record type.
///
/// ``Managed`` is the only subclass.
public class ManagedObject {
    /// The identifier as a number.
    public final let rawID: Int64
    /// The version of the row from which the object was read, or that it has after its first save.
    public final internal(set) var version: Int64

    /// The ownership of the object, or a snapshot of its old values that refers to the ownership.
    ///
    /// The attribute is unchecked for the same reason as that of the record's storage.
    @exclusivity(unchecked) final var link: ObjectLink
    // The small properties come last and next to each other, because a fetch creates many objects.
    /// The object's index in its context's list of new or changed objects; -1 if it is in no list.
    final var slot: Int32 = -1
    /// The state of the object, which determines its treatment in the next save.
    public final internal(set) var state: ObjectState
    /// A Boolean value that indicates whether the context must be notified of the next write.
    ///
    /// The property is `@usableFromInline` because the property accessors of ``Managed`` are inlined into callers.
    @usableFromInline final var needsNotice = true

    /// A Boolean value that indicates whether a property was written since the record's initializer ran.
    ///
    /// The record's initializer might reject the written values.
    final var wasWritten = false

    /// Creates an object.
    ///
    /// This initializer and that of the subclass are `@usableFromInline`, because objects are created in the modules of
    /// the record types.
    @usableFromInline
    init(rawID: Int64, state: ObjectState, version: Int64, ownership: ObjectOwnership) {
        self.rawID = rawID
        self.state = state
        self.version = version
        link = ownership
    }

    /// The entity and the identity map to which the object belongs.
    final var ownership: ObjectOwnership {
        // SAFETY: a link without an ownership is an ownership.
        unsafe link.ownership ?? unsafeDowncast(link, to: ObjectOwnership.self)
    }

    /// A Boolean value that indicates whether the object retains the values that were last read or saved.
    final var hasBase: Bool { link.ownership != nil }

    /// The entity's name.
    public final var entityName: String { ownership.entity.name }

    /// A Boolean value that indicates whether the object differs from its state in the parent or the store.
    ///
    /// A property that was written with its old value is unchanged.
    public final var hasChanges: Bool {
        switch state {
        case .inserted, .deleted: true
        case .updated: !changedColumns().isEmpty
        case .unchanged, .detached: false
        }
    }

    /// Returns the values that differ from those last read or saved, by property; all values of a new object.
    public final func changedValues() -> [String: StoredValue] {
        guard state != .detached else { return [:] }
        let values = typed.currentRow().values
        let places = state == .inserted ? Array(values.indices) : changedColumns()
        return named(values, places)
    }

    /// Returns the values that were last read or saved, by property; `nil` before the first save.
    public final func committedValues() -> [String: StoredValue]? {
        typed.committedRow().map { named($0, Array($0.indices)) }
    }

    private func named(_ values: [StoredValue], _ places: [Int]) -> [String: StoredValue] {
        let columns = ownership.entity.columns
        return Dictionary(uniqueKeysWithValues: places.map { (columns[$0].name, values[$0]) })
    }

    /// A Boolean value that indicates whether the object will not exist after the save.
    final var isDeletedOrDetached: Bool { state == .deleted || state == .detached }

    /// The object with its record type.
    ///
    /// A class cannot be abstract: every object is a ``Managed``, which overrides this property.
    var typed: any TypedObject { preconditionFailure("an object without a record type") }

    /// Returns the indices of the columns whose values differ from those of the store.
    final func changedColumns() -> [Int] { changedColumns(typed.currentRow()) }

    /// Returns the indices of the changed columns for a given current row.
    final func changedColumns(_ row: (values: [StoredValue], failures: [ValidationFailure])) -> [Int] {
        guard let committed = typed.committedRow() else { return [] }
        // A value that cannot be stored is a change that the save rejects.
        if !row.failures.isEmpty { return Array(row.values.indices) }
        return row.values.indices.filter { row.values[$0] != committed[$0] }
    }

    /// Notifies the context that a property is about to be written.
    @usableFromInline
    final func willChange() {
        guard let context = ownership.context else {
            fatalError("\(entityName) \(rawID) was written to after its context had ended; the write would be lost")
        }
        context.willChange(self)
    }

    /// Notifies the context that a property was written.
    @usableFromInline
    final func didChange() {
        if ownership.identityMap?.traits.watchesValues == true { ownership.context?.didChange(self) }
    }
}

/// The treatment of an object's own changes when its row is read again.
enum RowMerging {
    /// Discards the changes.
    case dropChanges
    /// Keeps the changes on top of the row.
    case keepChanges
    /// Keeps the changes of the columns that did not change in the row.
    case keepUncontested
    /// Keeps all values of the object, including unchanged ones.
    case keepEverything
}
