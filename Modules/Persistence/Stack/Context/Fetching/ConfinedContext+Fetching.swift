import StrataCore

extension ConfinedContext {
    /// Fetches objects, including unsaved changes.
    ///
    /// The fetch executes one statement for any number of objects, and one more for each relationship to prefetch. It
    /// returns objects that the context has already, and refreshes those without changes of their own.
    ///
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/invalidRequest`` for an invalid request and
    ///   ``PersistenceError/Code/unreadable`` for a row that makes no valid record, unless the request skips such rows.
    ///   `CancellationError` if the task was canceled, which is checked before the statement and every 256 rows.
    public func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Managed<Record>] {
        let lowered = try request.lowered()
        let relationships = try request.prefetching.map { try $0.resolved(in: request.entity) }
        try validate(relationships, of: request.entity.description)
        try prepareToRead()
        let objects = try fetch(lowered, of: request.entity, request.onUnreadableRow)
        if !relationships.isEmpty { try prefetch(relationships, for: objects) }
        eventSink?(.fetched(entity: lowered.entity, count: objects.count))
        return objects
    }

    /// Fetches records, which are values and may leave the context.
    ///
    /// Unsaved changes are included.
    ///
    /// - Throws: The same errors as the fetch of objects.
    public func fetchRecords<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Record] {
        guard request.prefetching.isEmpty else {
            let objects = try fetch(request)
            // The objects are retained, so that the unit of work finds them and their related objects without another
            // read.
            prefetched.hold(objects)
            return objects.map(\.record)
        }
        let lowered = try request.lowered()
        try requireKind(of: request.entity)
        try prepareToRead()
        guard parent.context == nil, try !isTouchedByChanges(lowered) else {
            let records = try fetch(lowered, of: request.entity, request.onUnreadableRow).map(\.record)
            eventSink?(.fetched(entity: lowered.entity, count: records.count))
            return records
        }
        var records: [Record] = []
        let append = request.entity.append
        let report = request.onUnreadableRow
        var reading = CancellableReading()
        try coordinator.fetch(lowered) { row in
            try reading.next()
            try readingRow(report) { try append(row, &records) }
            return .next
        }
        eventSink?(.fetched(entity: lowered.entity, count: records.count))
        return records
    }

    /// Fetches only identifiers, including those of unsaved changes.
    ///
    /// The fetch executes one statement. If no pending change can affect the result, it creates no object and reads no
    /// value.
    public func fetchIdentifiers<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Record.ID] {
        let lowered = try request.lowered()
        try requireKind(of: request.entity)
        try prepareToRead()
        let identifiers = try identifiers(lowered, of: request.entity)
        eventSink?(.fetched(entity: lowered.entity, count: identifiers.count))
        return try identifiers.map { raw in
            guard let id = Record.ID(rawValue: raw) else {
                throw PersistenceError(
                    .corrupt, "a row has the identifier \(raw), which is out of range", entity: request.entity.name)
            }
            return id
        }
    }

    /// Returns the number of objects that a fetch would return, including unsaved changes.
    ///
    /// The method executes one statement.
    public func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> Int {
        let lowered = try request.lowered()
        try requireKind(of: request.entity)
        try prepareToRead()
        let count = try count(lowered, of: request.entity)
        eventSink?(.fetched(entity: lowered.entity, count: count))
        return count
    }

    /// Fetches objects and passes them to `body` in batches, so that only one batch is in memory.
    ///
    /// The selection and the order are determined at the beginning. Objects that are deleted meanwhile are omitted. The
    /// fetch executes one statement for the identifiers and one for each batch.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - batchSize: The maximum number of objects in a batch, at least 1.
    ///   - body: Receives the batches one after the other.
    /// - Throws: The error of `body`, or ``PersistenceError``.
    public func fetch<Record: ManagedRecord>(
        _ request: FetchRequest<Record>, inBatchesOf batchSize: Int, _ body: ([Managed<Record>]) throws -> Void
    ) throws {
        guard batchSize >= 1 else {
            throw PersistenceError(
                .invalidRequest, "the batch size is \(batchSize), but must be at least 1", entity: request.entity.name)
        }
        let lowered = try request.lowered()
        let relationships = try request.prefetching.map { try $0.resolved(in: request.entity) }
        try validate(relationships, of: request.entity.description)
        try prepareToRead()
        var ids = try identifiers(lowered, of: request.entity)[...]
        eventSink?(.fetched(entity: lowered.entity, count: ids.count))
        while !ids.isEmpty {
            let objects = try objects(
                withRawIDs: Array(ids.prefix(batchSize)), of: request.entity, fromStore: true, request.onUnreadableRow)
            ids = ids.dropFirst(batchSize)
            let held = prefetched.objects
            if !relationships.isEmpty { try prefetch(relationships, for: objects) }
            try body(objects)
            // Objects that were read ahead for one batch are released before the next; lists may have become wrong
            // meanwhile.
            prefetched.forgetLists(holding: held)
            try prepareToRead()
        }
    }

    /// Prepares a read: checks for cancellation, throws pending errors, and applies pending delete rules.
    func prepareToRead() throws {
        try CancellableReading.check()
        try merges.throwFailure()
        try processPendingChanges()
    }
}
