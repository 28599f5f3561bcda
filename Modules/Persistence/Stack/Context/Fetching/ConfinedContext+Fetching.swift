import StrataCore

extension ConfinedContext {
    /// Fetches objects, changes that were not saved included.
    ///
    /// One statement, however many objects, and one more for each relationship to prefetch. An object the context has already is given as it is,
    /// refreshed when it has no changes of its own.
    ///
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/invalidRequest`` for what cannot be asked and
    ///   ``PersistenceError/Code/unreadable`` for a row that is no record, unless the request skips such; `CancellationError` when the task was
    ///   cancelled, which is looked at before the statement and every 256 rows.
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

    /// Fetches records: values, which may leave the context.
    ///
    /// Changes that were not saved are included.
    ///
    /// - Throws: As the fetch of objects.
    public func fetchRecords<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Record] {
        guard request.prefetching.isEmpty else {
            let objects = try fetch(request)
            // Held, so that the unit of work finds them and what they lead to without reading again.
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

    /// Fetches identifiers only, changes that were not saved included.
    ///
    /// One statement; where no pending change can matter, no object is made and no value is read.
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

    /// The number of objects a fetch would give, changes that were not saved included.
    ///
    /// One statement.
    public func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> Int {
        let lowered = try request.lowered()
        try requireKind(of: request.entity)
        try prepareToRead()
        let count = try count(lowered, of: request.entity)
        eventSink?(.fetched(entity: lowered.entity, count: count))
        return count
    }

    /// Fetches objects and gives them to `body` in batches, so that never more than one batch is in memory.
    ///
    /// What is selected, and in which order, is decided at the beginning; an object that somebody deletes meanwhile is left out. One statement for the
    /// identifiers and one for each batch.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - batchSize: The most objects in a batch, at least 1.
    ///   - body: Called with one batch after the other.
    /// - Throws: What `body` throws, or ``PersistenceError``.
    public func fetch<Record: ManagedRecord>(
        _ request: FetchRequest<Record>, inBatchesOf batchSize: Int, _ body: ([Managed<Record>]) throws -> Void
    ) throws {
        guard batchSize >= 1 else {
            throw PersistenceError(
                .invalidRequest, "the batch size is \(batchSize), it is at least 1", entity: request.entity.name)
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
            // What was read ahead for one batch is not kept for the next; lists of before may have become wrong meanwhile.
            prefetched.forgetLists(holding: held)
            try prepareToRead()
        }
    }

    /// What every reading call begins with: whether the task was cancelled, errors that were waiting, and delete rules that were not carried out yet.
    func prepareToRead() throws {
        try CancellableReading.check()
        try merges.throwFailure()
        try processPendingChanges()
    }
}
