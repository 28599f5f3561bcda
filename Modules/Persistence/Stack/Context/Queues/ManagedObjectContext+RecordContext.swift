import StrataCore

extension ManagedObjectContext: RecordContext {
    /// Runs a unit of work on records as values, on a context of its own beside this one: it sees what is saved, and neither sees the other's changes.
    ///
    /// - Parameters:
    ///   - mergePolicy: What the save does about objects that somebody else changed; `nil` for an error.
    ///   - body: The work. It runs on the context's queue.
    /// - Returns: What `body` gives.
    /// - Throws: What `body` throws, or as ``ConfinedContext/save(mergePolicy:)``.
    @discardableResult @_disfavoredOverload
    public func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        try await transactionReportingChanges(mergePolicy: mergePolicy, body).result
    }

    /// Runs a unit of work, and returns its result with the changes that its save wrote.
    ///
    /// - Parameters:
    ///   - mergePolicy: The policy of the save for objects that another save changed; `nil` for an error.
    ///   - body: The work. It runs on the context's queue.
    /// - Returns: What `body` returns, and the changes.
    /// - Throws: As `transaction(mergePolicy:_:)`.
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

    /// Makes a record of an entity with a new identifier and saves it.
    ///
    /// `make` may run again, with the next identifier, where somebody imported a record under the first.
    ///
    /// - Returns: The record as it was saved, with what hooks of the save have made of it.
    public func insert<Record: ManagedRecord>(
        into entity: RecordEntity<Record>, _ make: @Sendable (Record.ID) throws -> Record
    ) async throws -> Record {
        for _ in 0..<RecordRetries.takenIdentifiers {
            if let record = try insertUnlessTaken(entity, make) { return record }
        }
        throw PersistenceError.allTaken(of: entity.name)
    }

    /// Inserts a record; `nil` when another object has the new identifier.
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

    /// The saved records a request selects.
    public func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> [Record] {
        try performApart { try $0.fetchRecords(request) }
    }

    /// The number of saved records a request selects.
    public func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> Int {
        try performApart { try $0.count(request) }
    }

    /// Reads the record, changes it and saves it; starts again on fresh values when somebody else changed it in between, so that no update is
    /// lost.
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

    /// Runs a unit of work that reads and then writes, and again where somebody else came between.
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

    /// The saved records a request selects, read in batches off the cooperative threads, all from one state of the store.
    ///
    /// The stream keeps one reading connection until its end, or until it is released. A child context's stream gives what its parent has, all of
    /// it in memory at once.
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
