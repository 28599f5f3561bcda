import StrataPersistence

extension BrokenStore {
    func openSnapshots(_ count: Int) throws -> [any StoreSnapshot] {
        let snapshots = try base.openSnapshots(count)
        guard fault == .snapshotsDiffer else { return snapshots }
        return snapshots.dropLast() + [LateSnapshot(base)]
    }
}

/// A snapshot that is taken only when it is read.
private final class LateSnapshot: StoreSnapshot {
    private let store: InMemoryStore

    init(_ store: InMemoryStore) { self.store = store }

    func openCursor(_ request: StoreRequest) throws -> any RowCursor { try store.openCursor(request) }
    func count(_ request: StoreRequest) throws -> Int { try store.count(request) }
    func joins(_ request: JoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        for row in try store.joins(request) { if case .stop = try body(row) { return } }
    }
    func close() {}
}
