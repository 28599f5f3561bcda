import StrataCore

/// An object inside a context, independent of its record type.
///
/// ``Managed`` is the only subclass.
///
/// Code that handles objects of several record types uses this class, for example to list all changed objects of a
/// context. The values are ``StoredValue``s by the names of properties in the model.
///
/// ## Topics
///
/// ### Identity
///
/// - ``entityName``
/// - ``rawID``
/// - ``version``
///
/// ### Changes
///
/// - ``state``
/// - ``hasChanges``
/// - ``changedValues()``
/// - ``committedValues()``
public class ManagedObject {
    /// The identifier of the object as a number.
    public final let rawID: Int64
    /// The version of the object's row when it was last read or saved.
    ///
    /// The version increases by one with each save that changes the row. The first version of a new row is a random
    /// number, so that it does not match the version of a deleted row.
    public final internal(set) var version: Int64

    /// The ownership of the object, or, for a changed object, a snapshot of its old values, which references the
    /// ownership.
    ///
    /// The attribute is unchecked because exclusivity checks are too slow; see `stored` of ``Managed``.
    @exclusivity(unchecked) final var link: ObjectLink
    // The small properties come last and next to each other, because a fetch creates many objects.
    /// The object's index in its context's list of new or changed objects, or -1 if it is in neither list.
    final var slot: Int32 = -1
    /// The state of the object, which determines how the next save treats it.
    public final internal(set) var state: ObjectState
    /// A Boolean value that indicates whether the context must be notified before the next write.
    ///
    /// The property is `@usableFromInline` because the property accessors of ``Managed`` are inlined into callers.
    @usableFromInline final var needsNotice = true

    /// A Boolean value that indicates whether a property was written after the record's initializer ran.
    ///
    /// If it is `true`, the record's initializer may reject the current values.
    final var wasWritten = false

    /// Creates an object in a state.
    ///
    /// This initializer and that of the subclass are `@usableFromInline`, because code in the modules of the record
    /// types creates objects.
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

    /// A Boolean value that indicates whether the object retains old values in addition to its current ones.
    final var hasBase: Bool { link.ownership != nil }

    /// The name of the object's entity.
    public final var entityName: String { ownership.entity.name }

    /// A Boolean value that indicates whether the object differs from its state in the parent context or the store.
    ///
    /// A property that was set to its previous value counts as unchanged.
    public final var hasChanges: Bool {
        switch state {
        case .inserted, .deleted: true
        case .updated: !changedColumns().isEmpty
        case .unchanged, .detached: false
        }
    }

    /// Returns the values that differ from those last read or saved, by property name; for a new object, all values.
    ///
    /// Properties that were set to their previous values are omitted. For a detached object, the result is empty.
    ///
    /// - Complexity: O(*n*) in the number of columns, whose values are encoded.
    public final func changedValues() -> [String: StoredValue] {
        guard state != .detached else { return [:] }
        let values = typed.currentRow().values
        let places = state == .inserted ? Array(values.indices) : changedColumns()
        return named(values, places)
    }

    /// Returns the values that were last read or saved, by property name, or `nil` if the object was never saved.
    public final func committedValues() -> [String: StoredValue]? {
        typed.committedRow().map { named($0, Array($0.indices)) }
    }

    private func named(_ values: [StoredValue], _ places: [Int]) -> [String: StoredValue] {
        let columns = ownership.entity.columns
        return Dictionary(uniqueKeysWithValues: places.map { (columns[$0].name, values[$0]) })
    }

    /// A Boolean value that indicates whether the object is deleted or detached, so that no save stores it.
    final var isDeletedOrDetached: Bool { state == .deleted || state == .detached }

    /// The object as a ``TypedObject``, which knows the record type.
    ///
    /// Every object is a ``Managed``, which overrides this property. The property has a body because a class cannot be
    /// abstract.
    var typed: any TypedObject { preconditionFailure("an object without a record type") }

    /// Returns the indexes of the columns whose values differ from those last read or saved.
    final func changedColumns() -> [Int] { changedColumns(typed.currentRow()) }

    /// Returns the indexes of the columns whose values in a row of the object differ from those last read or saved.
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

/// The treatment of an object's unsaved changes when its row is read again.
enum RowMerging {
    /// Discards all unsaved changes.
    case dropChanges
    /// Retains all unsaved changes; other columns receive the row's values.
    case keepChanges
    /// Retains the unsaved changes of columns whose stored values have not changed; other columns receive the row's
    /// values.
    case keepUncontested
    /// Retains all values of the object, even those without unsaved changes.
    case keepEverything
}
