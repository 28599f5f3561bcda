import StrataCore

/// Reads a request's records in batches, on a queue of its own: the store's blocking calls stay off the cooperative threads.
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

    init(_ request: FetchRequest<Record>, _ coordinator: PersistentStoreCoordinator) {
        self.request = request
        self.coordinator = coordinator
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The next records; none at the end.
    func next() throws -> [Record] {
        try Task.checkCancellation()
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
