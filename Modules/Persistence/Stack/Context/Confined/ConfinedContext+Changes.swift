import StrataCore

/// The insertion and deletion of objects, and the unsaved changes of a context.
extension ConfinedContext {
    /// Returns an unused identifier for a record to be inserted.
    ///
    /// A context reserves identifiers in the store in blocks. A returned identifier that is not used is never returned
    /// again.
    public func newID<Record: PersistentRecord>(for type: Record.Type) throws -> Record.ID {
        try inserter.newID(in: Record.entity)
    }

    /// Returns an unused identifier for a record of an entity to be inserted.
    public func newID<Record: ManagedRecord>(in entity: RecordEntity<Record>) throws -> Record.ID {
        try inserter.newID(in: entity)
    }

    /// Inserts a record into the context; the next save writes it to the store.
    ///
    /// The record may have the identifier of an object that this context deleted. If pending delete rules could still
    /// affect references to that object, the method applies the rules first, as every read does.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness`` if the context has an object with
    ///   the identifier, the error of ``LifecycleHooks/awakeFromInsert(_:in:)`` of the record type, or an error of the
    ///   reads that the delete rules need.
    @discardableResult
    public func insert<Record: ManagedRecord>(_ record: Record) throws -> Managed<Record> {
        try inserter.insert(record)
    }

    /// Creates a record with a new identifier and inserts it.
    ///
    /// - Throws: The error of `make`, or the errors of ``insert(_:)``.
    @discardableResult
    public func insert<Record: PersistentRecord>(
        _ type: Record.Type = Record.self, _ make: (Record.ID) throws -> Record
    ) throws -> Managed<Record> {
        try inserter.insert(into: Record.entity, make)
    }

    /// Creates a record of an entity with a new identifier and inserts it.
    ///
    /// - Throws: The error of `make`, or the errors of ``insert(_:)``.
    @discardableResult
    public func insert<Record: ManagedRecord>(
        into entity: RecordEntity<Record>, _ make: (Record.ID) throws -> Record
    ) throws -> Managed<Record> {
        try inserter.insert(into: entity, make)
    }

    // MARK: Deleting

    /// Marks an object for deletion by the next save.
    ///
    /// If the object is already deleted, the method has no effect. An object that was never saved is detached at once.
    /// The next read or save of the context applies the delete rules: the related objects are deleted or lose their
    /// references.
    public func delete(_ object: ManagedObject) { propagator.delete(object) }

    /// Marks the object with an identifier for deletion by the next save.
    ///
    /// The identifier may come from any context or from outside the process.
    ///
    /// - Returns: `false` if no such object exists; otherwise `true`.
    @discardableResult
    public func delete<Record: PersistentRecord>(_ id: Record.ID, of type: Record.Type = Record.self) throws -> Bool {
        try fetcher.delete(id, from: Record.entity)
    }

    /// Marks the object of an entity with an identifier for deletion by the next save.
    ///
    /// - Returns: `false` if no such object exists; otherwise `true`.
    @discardableResult
    public func delete<Record: ManagedRecord>(_ id: Record.ID, from entity: RecordEntity<Record>) throws -> Bool {
        try fetcher.delete(id, from: entity)
    }

    /// Marks the object with a record's identifier for deletion by the next save.
    ///
    /// The record may come from any context or from outside the process.
    ///
    /// - Returns: `false` if no such object exists; otherwise `true`.
    @discardableResult
    public func delete<Record: ManagedRecord>(_ record: Record) throws -> Bool {
        try fetcher.delete(record.id, from: record.recordEntity)
    }

    // MARK: Unsaved changes

    /// A Boolean value that indicates whether a save would write anything.
    ///
    /// A property that was set to its previous value counts as unchanged.
    public var hasChanges: Bool { transactions.hasChanges }

    /// The objects that are not saved yet, entity by entity, and for each entity in the order of insertion.
    public var insertedObjects: [ManagedObject] { registry.ordered.flatMap(\.inserted) }

    /// The objects with changed values, entity by entity.
    public var updatedObjects: [ManagedObject] {
        registry.ordered.flatMap { $0.updated.filter(\.hasChanges) }
    }

    /// The objects that the next save deletes, entity by entity.
    ///
    /// Objects that delete rules delete are included only after a fetch or a save has applied the rules.
    public var deletedObjects: [ManagedObject] { registry.ordered.flatMap(\.deletedInOrder) }

    /// All objects of the context that have changes or that other code references, by entity and identifier.
    ///
    /// For the references that retain an object, see ``registeredObject(for:of:)``.
    public var registeredObjects: [ManagedObject] { registry.ordered.flatMap(\.objects) }

    /// Discards all unsaved changes.
    ///
    /// New objects are detached; changed and deleted objects regain the values that were last read or saved. Inside
    /// ``transaction(mergePolicy:_:)``, the method discards only the changes since the innermost transaction began.
    public func rollback() { transactions.rollback() }

    /// Removes every object from the context.
    ///
    /// Objects that other code still references are detached: they retain their last values, and after a write to one
    /// of them the next save throws an error. Inside a nested ``transaction(mergePolicy:_:)``, the method only performs
    /// a ``rollback()``, because the objects of the outer transaction must remain.
    public func reset() { transactions.reset() }

    /// Applies delete rules for earlier deletions, and removes one-to-one counterparts from their previous owners.
    ///
    /// Every read and every save applies these changes automatically.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    public func processPendingChanges() throws { try propagator.processPendingChanges() }
}
