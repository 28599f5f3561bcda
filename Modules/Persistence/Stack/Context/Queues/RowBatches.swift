import StrataCore
import StrataStoreKit

/// A reader of the records that a request selects, in batches and on a separate queue.
///
/// Because of the queue, the store's blocking calls block no thread of Swift concurrency. After the second batch is
/// requested, the reader always reads the next batch while the caller uses the current one, until ``abandon()`` is
/// called.
///
/// At most two batches are in memory: the one that the caller uses and the one that is read ahead. The reader has its
/// own connection until the last row is read, or until it is released.
actor RowBatches<Record: ManagedRecord> {
    /// The size of the first batch, which is small so that the first record is available soon.
    ///
    /// Each further batch is twice as large as the one before, up to a maximum. At the maximum size, the cost of
    /// switching threads is negligible.
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

    /// Returns the records of the next batch, or an empty array after the last batch.
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

    /// Cancels the read of the next batch, which ends after its current row and then releases the connection.
    nonisolated func abandon() { reading.withLock { $0.take() }?.cancel() }

    private func read() throws -> [Record] {
        guard !isAtEnd else { return [] }
        let cursor = try self.cursor ?? coordinator.store.openCursor(try request.lowered())
        self.cursor = cursor
        var records: [Record] = []
        records.reserveCapacity(count)
        let append = request.entity.append
        let report = request.onUnreadableRow
        let hasMore = try coordinator.operate(.fetch, request.entity.name) { rows in
            try cursor.read { row in
                try Task.checkCancellation()
                rows += 1
                try readingRow(report) { try append(row, &records) }
                return records.count < count ? .next : .stop
            }
        }
        count = min(2 * count, Self.greatestCount)
        if !hasMore {
            isAtEnd = true
            self.cursor = nil
        }
        return records
    }
}

/// A loop over batches, which cancels the read of the next batch when the loop is released.
final class RowBatchLoop<Record: ManagedRecord>: Sendable {
    private let batches: RowBatches<Record>

    init(_ batches: RowBatches<Record>) { self.batches = batches }

    deinit { batches.abandon() }

    func next() async throws -> [Record] { try await batches.next() }
}
