import StrataCore

/// Reads a request's records in batches, on a queue of its own: the store's blocking calls stay off the cooperative threads.
///
/// Who has asked for a second batch will ask for a third: from then on the next one is read while the last one is used, until nobody wants it.
actor RowBatches<Record: ManagedRecord> {
    /// The first batch is small, so that the first record comes soon, and each is twice the one before: from the greatest on, the hop between threads
    /// does not count.
    private static var firstCount: Int { 64 }
    private static var greatestCount: Int { 1024 }

    private let executor = QueueExecutor(name: "stream")
    private let request: FetchRequest<Record>
    private let coordinator: PersistentStoreCoordinator
    private var cursor: (any RowCursor)?
    private var count = RowBatches.firstCount
    private var isAtEnd = false
    private var isFirst = true
    /// What reads the next batch.
    private let reading = Guarded<Task<[Record], any Error>?>(nil)

    init(_ request: FetchRequest<Record>, _ coordinator: PersistentStoreCoordinator) {
        self.request = request
        self.coordinator = coordinator
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The next records; none at the end.
    func next() async throws -> [Record] {
        try Task.checkCancellation()
        let records: [Record]
        if let reading = reading.withLock({ $0.take() }) {
            records = try await withTaskCancellationHandler {
                try await reading.value
            } onCancel: {
                reading.cancel()
            }
        } else {
            records = try read()
        }
        if !isFirst, !isAtEnd {
            let next = Task { try self.read() }
            reading.withLock { $0 = next }
        }
        isFirst = false
        return records
    }

    /// Nobody wants more: what is being read ends with the next row, and the connection is given back.
    nonisolated func abandon() { reading.withLock { $0.take() }?.cancel() }

    private func read() throws -> [Record] {
        guard !isAtEnd else { return [] }
        let cursor = try self.cursor ?? coordinator.store.openCursor(try request.lowered())
        self.cursor = cursor
        var records: [Record] = []
        records.reserveCapacity(count)
        let append = request.entity.append
        let report = request.onUnreadableRow
        let hasMore = try cursor.read { row in
            try Task.checkCancellation()
            try readingRow(report) { try append(row, &records) }
            return records.count < count ? .next : .stop
        }
        count = min(2 * count, Self.greatestCount)
        if !hasMore {
            isAtEnd = true
            self.cursor = nil
        }
        return records
    }
}

/// A loop over batches, which are abandoned with it.
final class RowBatchLoop<Record: ManagedRecord>: Sendable {
    private let batches: RowBatches<Record>

    init(_ batches: RowBatches<Record>) { self.batches = batches }

    deinit { batches.abandon() }

    func next() async throws -> [Record] { try await batches.next() }
}
