import StrataPersistence
import StrataStoreKit

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

    var model: ManagedObjectModel { store.model }
    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try store.fetch(request, body)
    }
    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor { try store.openCursor(request) }
    func count(_ request: ResolvedRequest) throws -> Int { try store.count(request) }
    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try store.joins(request, body)
    }
    func identifierMarks() throws -> [String: Int64] { try late().identifierMarks() }
    func metadata() throws -> [String: String] { try late().metadata() }
    func close() {}

    private func late() throws -> any StoreSnapshot { try store.openSnapshots(1)[0] }
}

/// A snapshot of rows and join rows only, without the next identifiers.
private final class LateMarks: StoreSnapshot {
    private let snapshot: any StoreSnapshot
    private let store: InMemoryStore

    init(_ snapshot: any StoreSnapshot, _ store: InMemoryStore) {
        self.snapshot = snapshot
        self.store = store
    }

    var model: ManagedObjectModel { store.model }
    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try snapshot.fetch(request, body)
    }
    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor { try snapshot.openCursor(request) }
    func count(_ request: ResolvedRequest) throws -> Int { try snapshot.count(request) }
    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try snapshot.joins(request, body)
    }
    func identifierMarks() throws -> [String: Int64] { try store.openSnapshots(1)[0].identifierMarks() }
    func metadata() throws -> [String: String] { try store.openSnapshots(1)[0].metadata() }
    func close() { snapshot.close() }
}
