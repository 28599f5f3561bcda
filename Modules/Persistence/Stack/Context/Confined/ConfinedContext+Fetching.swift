import StrataCore

/// The reads of objects and records.
extension ConfinedContext {
    /// Fetches the objects that a request selects, including unsaved changes.
    ///
    /// The fetch executes one statement, regardless of the number of objects, and one more for each prefetched
    /// relationship. For a row whose object the context already has, the fetch returns that object. If the object has
    /// no unsaved changes, it first receives the stored values.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the request is invalid, or
    ///   with code ``PersistenceError/Code/unreadable`` if a row forms no valid record and the request does not skip
    ///   such rows. `CancellationError` if the task was canceled, which is checked before the statement and every 256
    ///   rows.
    public func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Managed<Record>] {
        try fetcher.fetch(request)
    }

    /// Fetches the records that a request selects, including unsaved changes.
    ///
    /// Records are values and may leave the context.
    ///
    /// - Throws: The errors of ``fetch(_:)``.
    public func fetchRecords<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Record] {
        try fetcher.fetchRecords(request)
    }

    /// Fetches only the identifiers of the objects that a request selects, including unsaved changes.
    ///
    /// The fetch executes one statement. If no unsaved change can affect the result, the fetch reads no other columns
    /// and creates no objects.
    public func fetchIdentifiers<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Record.ID] {
        try fetcher.fetchIdentifiers(request)
    }

    /// Returns the number of objects that a request selects, including unsaved changes.
    ///
    /// The method executes one statement.
    public func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> Int {
        try fetcher.count(request)
    }

    /// Fetches objects and passes them to `body` in batches, so that only one batch is in memory.
    ///
    /// The selection and the order of the objects are determined when the fetch begins. Objects that are deleted before
    /// their batch is read are omitted. The fetch executes one statement for the identifiers and one for each batch.
    ///
    /// - Parameters:
    ///   - request: The request that selects the objects.
    ///   - batchSize: The maximum number of objects in a batch, at least 1.
    ///   - body: A closure that receives the batches one after another.
    /// - Throws: The error of `body`, or ``PersistenceError``.
    public func fetch<Record: ManagedRecord>(
        _ request: FetchRequest<Record>, inBatchesOf batchSize: Int, _ body: ([Managed<Record>]) throws -> Void
    ) throws {
        try fetcher.fetch(request, inBatchesOf: batchSize, body)
    }

    /// Returns the records that a request selects, with the records of the relationships that it prefetches.
    ///
    /// - Parameter request: The request.
    /// - Returns: The records and their related records.
    /// - Throws: The errors of ``fetch(_:)``.
    /// - Complexity: One statement for the records and one for each relationship, or two for a many-to-many
    ///   relationship.
    public func fetchGraph<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> RecordGraph<Record> {
        try fetcher.fetchGraph(request)
    }

    // MARK: Lookup

    /// Returns a reference to the object with an identifier, without reading the object.
    public func object<Record: PersistentRecord>(with id: Record.ID, of type: Record.Type = Record.self) -> Fault<
        Record
    > {
        object(with: id, in: Record.entity)
    }

    /// Returns a reference to the object of an entity with an identifier, without reading the object.
    public func object<Record: ManagedRecord>(
        with id: Record.ID, in entity: RecordEntity<Record>
    ) -> Fault<Record> {
        Fault(id, entity, self)
    }

    /// Returns the object with an identifier, from the context or from the store.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if no such object exists, or
    ///   if this context deleted it.
    public func existingObject<Record: PersistentRecord>(
        with id: Record.ID, of type: Record.Type = Record.self
    ) throws -> Managed<Record> {
        try fetcher.existingObject(with: id, in: Record.entity)
    }

    /// Returns the object of an entity with an identifier, from the context or from the store.
    ///
    /// - Throws: The errors of ``existingObject(with:of:)``.
    public func existingObject<Record: ManagedRecord>(
        with id: Record.ID, in entity: RecordEntity<Record>
    ) throws -> Managed<Record> {
        try fetcher.existingObject(with: id, in: entity)
    }

    /// Returns the object with an identifier if the context has it and other code references it; never reads the store.
    ///
    /// The context retains objects with unsaved changes, and holds all other objects like weak references. Swift
    /// retains the object of a variable only until the variable's last use, so an optimized build may release the
    /// object earlier than a debug build. To make sure that this method finds an object, use the object later, or
    /// retain it with `withExtendedLifetime`. ``existingObject(with:of:)`` finds the object in any case.
    public func registeredObject<Record: PersistentRecord>(
        for id: Record.ID, of type: Record.Type = Record.self
    ) -> Managed<Record>? {
        registeredObject(for: id, in: Record.entity)
    }

    /// Returns the object of an entity with an identifier if the context has it and other code references it; never
    /// reads the store.
    public func registeredObject<Record: ManagedRecord>(
        for id: Record.ID, in entity: RecordEntity<Record>
    ) -> Managed<Record>? {
        registry[entity.name]?.object(id.rawValue) as? Managed<Record>
    }

    /// Returns the object that contains the values of a given object after its save.
    ///
    /// This is the given object itself, or the existing object into which a merge policy merged it because both had the
    /// same unique value. The saving context retains this information until ``reset()``; ``SavedChanges/upserted``
    /// contains it too.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if no such object exists, or
    ///   if this context deleted it.
    public func existingObject<Record: ManagedRecord>(
        holding object: Managed<Record>
    ) throws -> Managed<Record> {
        try fetcher.existingObject(holding: object)
    }

    /// Returns the object with an identifier, or `nil` if no such object exists or this context deleted it.
    func findObject<Record: ManagedRecord>(
        with id: Record.ID, of entity: RecordEntity<Record>
    ) throws -> Managed<Record>? {
        try fetcher.findObject(with: id, of: entity)
    }
}
