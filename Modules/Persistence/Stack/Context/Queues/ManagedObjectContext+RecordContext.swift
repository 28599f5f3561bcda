import StrataCore

extension ManagedObjectContext: RecordContext {
    /// Runs a unit of work on records in a separate context with the same parent.
    ///
    /// The unit of work reads what is saved. It does not read the unsaved changes of this context, and this context
    /// does not read those of the unit of work.
    ///
    /// - Parameters:
    ///   - mergePolicy: The policy for objects that another save changed; if it is `nil`, such an object makes the save
    ///     throw an error.
    ///   - body: The work, which runs on the context's queue.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or the errors of ``ConfinedContext/save(mergePolicy:)``.
    @discardableResult @_disfavoredOverload
    public func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        try await transactionReportingChanges(mergePolicy: mergePolicy, body).result
    }

    /// Runs a unit of work, and returns its result with the changes that its save wrote.
    ///
    /// - Parameters:
    ///   - mergePolicy: The policy for objects that another save changed; if it is `nil`, such an object makes the save
    ///     throw an error.
    ///   - body: The work, which runs on the context's queue.
    /// - Returns: The result of `body`, and the changes that the save wrote.
    /// - Throws: The same errors as `transaction(mergePolicy:_:)`.
    public func transactionReportingChanges<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> (result: Result, changes: SavedChanges) {
        try performApart { context in
            var (work, changes) = try context.transactionReportingChanges(mergePolicy: mergePolicy) { context in
                let unit = ContextTransaction(context: context, mergePolicy: mergePolicy)
                let result = try body(unit)
                try unit.end()
                return (result: result, upserted: unit.upserted)
            }
            for (entity, places) in work.upserted {
                changes.upserted[entity, default: [:]].merge(places) { saved, _ in saved }
            }
            return (work.result, changes)
        }
    }

    /// Creates a record of an entity with a new identifier and saves it.
    ///
    /// If an import already inserted a row with the new identifier, `make` runs again with the next identifier.
    ///
    /// - Parameters:
    ///   - entity: The entity of the record.
    ///   - make: A closure that creates the record with the identifier that it receives. It runs on the context's
    ///     queue, possibly several times.
    /// - Returns: The saved record, including the changes of hooks that the save ran.
    /// - Throws: The error of `make`, or the errors of ``ConfinedContext/save(mergePolicy:)``; with code
    ///   ``PersistenceError/Code/uniqueness`` if another object has a unique value of the record.
    public func insert<Record: ManagedRecord>(
        into entity: RecordEntity<Record>, _ make: @Sendable (Record.ID) throws -> Record
    ) async throws -> Record {
        for _ in 0..<RecordRetries.takenIdentifiers {
            if let record = try insertUnlessTaken(entity, make) { return record }
        }
        throw PersistenceError.allTaken(of: entity.name)
    }

    /// Inserts a record with a new identifier, or returns `nil` if another object already has that identifier.
    private func insertUnlessTaken<Record: ManagedRecord>(
        _ entity: RecordEntity<Record>, _ make: @Sendable (Record.ID) throws -> Record
    ) throws -> Record? {
        try performApart { context in
            let id = try context.newID(in: entity)
            let object = try context.insert(try make(id))
            do {
                try context.save()
                return object.record
            } catch let error as PersistenceError where error.isTakenIdentifier(of: entity.name) && object.id == id {
                return nil
            }
        }
    }

    /// Returns the saved records that a request selects.
    ///
    /// All records are in memory at once; for a large result, use ``stream(_:)``.
    ///
    /// - Parameter request: The request for the records.
    /// - Returns: The records in the order of the request. In a child context, they include the unsaved changes of its
    ///   parent.
    /// - Throws: The errors of ``ConfinedContext/fetch(_:)``.
    public func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> [Record] {
        try performApart { try $0.fetchRecords(request) }
    }

    /// Returns the number of saved records that a request selects.
    ///
    /// Unless a parent context has unsaved changes, the store counts the rows and no records are created, so that rows
    /// that cannot be read count too.
    ///
    /// - Parameter request: The request, whose limit and offset apply to the number.
    /// - Returns: The number of records.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the request is invalid.
    public func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> Int {
        try performApart { try $0.count(request) }
    }

    /// Returns the values of each result of a selection from the saved records of an entity.
    ///
    /// - Throws: The errors of ``ConfinedContext/values(_:of:)``.
    public func values<Record: ManagedRecord>(
        _ selection: StoreSelection, of entity: RecordEntity<Record>
    ) async throws -> [[StoredValue]] {
        try performApart { try $0.values(selection, of: entity) }
    }

    /// Reads a record, changes it, and saves it; after a conflict, repeats these steps with the newly read record.
    ///
    /// A conflict occurs if another save changed the record after it was read. Because of the repetition, no update is
    /// lost. Concurrent updates of one record through the same container run one after another.
    ///
    /// - Parameters:
    ///   - entity: The entity of the record.
    ///   - id: The identifier of the record.
    ///   - change: A closure that changes the record. It may run several times, so it must compute the new values from
    ///     the record that it receives.
    /// - Returns: The saved record, including the changes of hooks that the save ran.
    /// - Throws: The error of `change`, or the errors of ``ConfinedContext/save(mergePolicy:)``; with code
    ///   ``PersistenceError/Code/objectNotFound`` if there is no such record, and ``PersistenceError/Code/conflict``
    ///   after 100 attempts.
    public func update<Record: ManagedRecord>(
        in entity: RecordEntity<Record>, id: Record.ID, _ change: @Sendable (inout Record) throws -> Void
    ) async throws -> Record {
        try await coordinator.rowLocks.whenFree(entity.name, id: id.rawValue) {
            try retryingConflicts { context in
                let object = try context.existingObject(with: id, in: entity)
                try object.update(change)
                try context.save()
                return object.record
            }
        }
    }

    /// Runs a unit of work that reads and then writes, and repeats the work after a conflict.
    private func retryingConflicts<Result: Sendable>(_ body: @Sendable (ConfinedContext) throws -> Result) throws
        -> Result
    {
        for _ in 1..<RecordRetries.attempts {
            do {
                return try performApart(body)
            } catch let error as PersistenceError where error.code == .conflict {
                continue
            }
        }
        return try performApart(body)
    }

    /// Returns a sequence of the saved records that a request selects, all from one state of the store.
    ///
    /// The sequence reads in batches, on threads that are not those of Swift concurrency. It occupies one connection
    /// until it ends or is released. The sequence of a child context returns the data of the parent context, and loads
    /// all records into memory at once.
    ///
    /// Except in a child context, the sequence does not use the context's queue, so a long loop does not delay other
    /// work of the context. It does not contain unsaved changes of this context. The call itself reads nothing; the
    /// loop throws all errors.
    ///
    /// - Parameter request: The request for the records. Relationships that it prefetches are not part of the sequence.
    /// - Returns: The sequence. Each loop over it reads the store again.
    public nonisolated func stream<Record: ManagedRecord>(
        _ request: FetchRequest<Record>
    ) -> RecordSequence<Record> {
        guard parent == nil else { return RecordSequence { try await self.fetch(request) } }
        let coordinator = coordinator
        return RecordSequence(batches: {
            let loop = RowBatchLoop(RowBatches(request, coordinator))
            return { try await loop.next() }
        })
    }
}
