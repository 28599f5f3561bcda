import StrataCore
public import StrataStoreKit

/// A snapshot of an in-memory store; it needs no memory of its own until the store is changed.
final class InMemorySnapshot: StoreSnapshot {
    private let store: InMemoryStore
    private let state: Guarded<InMemoryStore.State?>

    init(_ state: InMemoryStore.State, of store: InMemoryStore) {
        self.store = store
        self.state = Guarded(state)
    }

    var model: ManagedObjectModel { store.model }

    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try current().select(request).read(body)
    }

    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        StoredRowCursor(try current().select(request)) { [self] in _ = try current() }
    }

    func count(_ request: ResolvedRequest) throws -> Int { try current().select(request.unsorted).count }

    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try current().select(request, body)
    }

    func identifierMarks() throws -> [String: Int64] {
        try current().tables.compactMapValues { $0.nextID > identifierRange.lowerBound ? $0.nextID : nil }
    }

    func metadata() throws -> [String: String] { try current().metadata }

    func close() { state.withLock { $0 = nil } }

    private func current() throws -> InMemoryStore.State {
        try store.checkOpen()
        guard let state = state.withLock({ $0 }) else { throw PersistenceError.snapshotClosed }
        return state
    }
}

extension InMemoryStore {
    /// Opens snapshots that all have the current state of the store.
    ///
    /// Any number of snapshots can be read at the same time. A snapshot retains its rows until it is closed, so close
    /// it when it is no longer needed.
    ///
    /// - Parameter count: The count of snapshots, at least 1.
    /// - Returns: The snapshots; they read the state of this moment, whatever is written later.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the count is less than 1,
    ///   or ``PersistenceError/Code/closed`` if the store was closed.
    public func openSnapshots(_ count: Int) throws -> [any StoreSnapshot] {
        try PersistenceError.checkSnapshotCount(count)
        let state = try snapshotState()
        return (0..<count).map { _ in InMemorySnapshot(state, of: self) }
    }
}
