import StrataPersistence

extension BrokenStore {
    func openSnapshots(_ count: Int) throws -> [any StoreSnapshot] {
        let snapshots = try base.openSnapshots(count)
        switch fault {
        case .snapshotsDiffer: return snapshots.dropLast() + [LateSnapshot(base)]
        case .lateMarks: return snapshots.map { LateMarks($0, base) }
        default: return snapshots
        }
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
    func identifierMarks() throws -> [String: Int64] { try late().identifierMarks() }
    func metadata() throws -> [String: String] { try late().metadata() }
    func close() {}

    private func late() throws -> any StoreSnapshot { try store.openSnapshots(1)[0] }
}

/// A snapshot of rows and pairs only.
private final class LateMarks: StoreSnapshot {
    private let snapshot: any StoreSnapshot
    private let store: InMemoryStore

    init(_ snapshot: any StoreSnapshot, _ store: InMemoryStore) {
        self.snapshot = snapshot
        self.store = store
    }

    func openCursor(_ request: StoreRequest) throws -> any RowCursor { try snapshot.openCursor(request) }
    func count(_ request: StoreRequest) throws -> Int { try snapshot.count(request) }
    func joins(_ request: JoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try snapshot.joins(request, body)
    }
    func identifierMarks() throws -> [String: Int64] { try store.openSnapshots(1)[0].identifierMarks() }
    func metadata() throws -> [String: String] { try store.openSnapshots(1)[0].metadata() }
    func close() { snapshot.close() }
}
