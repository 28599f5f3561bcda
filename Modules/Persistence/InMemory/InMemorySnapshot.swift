public import StrataCore

/// A store's state as it was, which costs nothing until somebody writes.
final class InMemorySnapshot: StoreSnapshot {
    private let store: InMemoryStore
    private let state: Guarded<InMemoryStore.State?>

    init(_ state: InMemoryStore.State, of store: InMemoryStore) {
        self.store = store
        self.state = Guarded(state)
    }

    func openCursor(_ request: StoreRequest) throws -> any RowCursor {
        try request.validate(in: store.model)
        return InMemoryCursor(try select(request), store: store)
    }

    func count(_ request: StoreRequest) throws -> Int {
        try request.validate(in: store.model)
        var unsorted = request
        unsorted.sort = []
        return try select(unsorted).count
    }

    func joins(_ request: JoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        let join = try request.validate(in: store.model)
        for row in try current().joins[join.name]?.select(request) ?? [] {
            if case .stop = try body(row) { return }
        }
    }

    func identifierMarks() throws -> [String: Int64] {
        try current().tables.compactMapValues { $0.nextID > identifierRange.lowerBound ? $0.nextID : nil }
    }

    func metadata() throws -> [String: String] { try current().metadata }

    func close() { state.withLock { $0 = nil } }

    private func select(_ request: StoreRequest) throws -> [StoredRow] {
        let state = try current()
        return try state.table(request.entity).select(request, in: store.model, state)
    }

    private func current() throws -> InMemoryStore.State {
        try store.checkOpen()
        guard let state = state.withLock({ $0 }) else { throw PersistenceError.snapshotClosed }
        return state
    }
}

extension InMemoryStore {
    /// Snapshots of the state now.
    public func openSnapshots(_ count: Int) throws -> [any StoreSnapshot] {
        try PersistenceError.checkSnapshotCount(count)
        let state = try snapshotState()
        return (0..<count).map { _ in InMemorySnapshot(state, of: self) }
    }
}
