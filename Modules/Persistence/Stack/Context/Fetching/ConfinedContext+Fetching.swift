import StrataCore
import StrataStoreKit

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
        let lowered = try request.lowered()
        let relationships = try request.prefetching.map { try $0.resolved(in: request.entity) }
        try validate(relationships, of: request.entity.description)
        try prepareToRead()
        let objects = try fetch(lowered, of: request.entity, request.onUnreadableRow)
        if !relationships.isEmpty { try prefetch(relationships, for: objects) }
        eventSink?(.fetched(entity: lowered.entity, count: objects.count))
        return objects
    }

    /// Fetches the records that a request selects, including unsaved changes.
    ///
    /// Records are values and may leave the context.
    ///
    /// - Throws: The errors of ``fetch(_:)``.
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

    /// Fetches only the identifiers of the objects that a request selects, including unsaved changes.
    ///
    /// The fetch executes one statement. If no unsaved change can affect the result, the fetch reads no other columns
    /// and creates no objects.
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

    /// Returns the number of objects that a request selects, including unsaved changes.
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

    /// Prepares a read: checks for cancellation, throws the error of a failed merge, and applies pending delete rules.
    func prepareToRead() throws {
        try CancellableReading.check()
        try merges.throwFailure()
        try processPendingChanges()
    }
}
