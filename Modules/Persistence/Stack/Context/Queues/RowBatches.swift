import StrataCore

/// Reads a request's records in batches, on a queue of its own: the store's blocking calls stay off the cooperative threads.
///
/// The next batch is read while the last one is used. Where nobody asks for it, it goes when it is read, and the connection with it.
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
    /// What reads the next batch.
    private var reading: Task<[Record], any Error>?

    init(_ request: FetchRequest<Record>, _ coordinator: PersistentStoreCoordinator) {
        self.request = request
        self.coordinator = coordinator
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The next records; none at the end.
    func next() async throws -> [Record] {
        try Task.checkCancellation()
        let records: [Record]
        if let reading {
            self.reading = nil
            records = try await withTaskCancellationHandler {
                try await reading.value
            } onCancel: {
                reading.cancel()
            }
        } else {
            records = try read()
        }
        if !isAtEnd { reading = Task { try self.read() } }
        return records
    }

    private func read() throws -> [Record] {
        guard !isAtEnd else { return [] }
        let cursor = try self.cursor ?? coordinator.store.openCursor(try request.lowered())
        self.cursor = cursor
        var records: [Record] = []
        records.reserveCapacity(count)
        let append = request.entity.append
        let report = request.onUnreadableRow
        let hasMore = try cursor.read { row in
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
