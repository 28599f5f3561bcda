import StrataCore

/// A reader of a request's records in batches, on a queue of its own.
///
/// The queue keeps the store's blocking calls off the cooperative threads. A caller that requests a second batch
/// probably requests a third one. From then on, the reader reads the next batch while the caller uses the last one,
/// until ``abandon()`` is called.
actor RowBatches<Record: ManagedRecord> {
    /// The size of the first batch, which is small so that the first record arrives soon.
    ///
    /// Each further batch has twice the size of the one before. At the greatest size, the cost of switching threads is
    /// negligible.
    private static var firstCount: Int { 64 }
    private static var greatestCount: Int { 1024 }

    private let executor = QueueExecutor(name: "stream")
    private let request: FetchRequest<Record>
    private let coordinator: PersistentStoreCoordinator
    private var cursor: (any RowCursor)?
    private var count = RowBatches.firstCount
    private var isAtEnd = false
    private var isFirst = true
    /// The task that reads the next batch.
    private let reading = Guarded<Task<[Record], any Error>?>(nil)

    init(_ request: FetchRequest<Record>, _ coordinator: PersistentStoreCoordinator) {
        self.request = request
        self.coordinator = coordinator
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Returns the next records; an empty array at the end.
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

    /// Cancels the read of the next batch: it ends with the next row, and the connection is released.
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

/// An iteration over batches that abandons them when it is released.
final class RowBatchLoop<Record: ManagedRecord>: Sendable {
    private let batches: RowBatches<Record>

    init(_ batches: RowBatches<Record>) { self.batches = batches }

    deinit { batches.abandon() }

    func next() async throws -> [Record] { try await batches.next() }
}
