import StrataCore

/// Reads a request's records in batches, on a queue of its own: the store's blocking calls stay off the cooperative threads.
actor RowSequence<Record: PersistentRecord> {
    /// Rows read at once: enough that the hop between threads does not count, few enough to be small.
    private static var batchCount: Int { 256 }

    private let executor = QueueExecutor(name: "stream")
    private let request: FetchRequest<Record>
    private let coordinator: PersistentStoreCoordinator
    private var cursor: (any RowCursor)?
    private var batch: ArraySlice<Record> = []
    private var isAtEnd = false

    init(_ request: FetchRequest<Record>, _ coordinator: PersistentStoreCoordinator) {
        self.request = request
        self.coordinator = coordinator
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated func stream() -> AsyncThrowingStream<Record, any Error> {
        AsyncThrowingStream { try await self.next() }
    }

    private func next() throws -> Record? {
        try Task.checkCancellation()
        if let record = batch.popFirst() { return record }
        guard !isAtEnd else { return nil }
        let cursor = try self.cursor ?? coordinator.store.openCursor(try request.lowered())
        self.cursor = cursor
        var records: [Record] = []
        while records.count < Self.batchCount {
            guard try cursor.next({ records.append(try Record.entity.read($0)) }) else {
                isAtEnd = true
                self.cursor = nil
                break
            }
        }
        batch = records[...]
        return batch.popFirst()
    }
}
