import StrataCore
import StrataStoreKit
import Synchronization

/// A snapshot of a store's state.
final class DictionarySnapshot: StoreSnapshot {
    let model: ManagedObjectModel
    private let store: DictionaryStore
    /// The state, or `nil` after the snapshot was closed.
    private let database: Mutex<Database?>

    init(_ database: Database, of store: DictionaryStore) {
        self.store = store
        model = store.model
        self.database = Mutex(database)
    }

    private func current() throws -> Database {
        // Closing a store also closes its snapshots.
        _ = try store.current()
        guard let database = database.withLock({ $0 }) else { throw PersistenceError.snapshotClosed }
        return database
    }

    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try current().select(request).read(body)
    }

    func count(_ request: ResolvedRequest) throws -> Int { try current().select(request.unsorted).count }

    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        StoredRowCursor(try current().select(request)) { [store] in _ = try store.current() }
    }

    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        for row in try current().select(request) {
            if case .stop = try body(row) { return }
        }
    }

    func identifierMarks() throws -> [String: Int64] {
        try current().tables.mapValues(\.nextID).filter { $0.value > identifierRange.lowerBound }
    }

    func metadata() throws -> [String: String] { try current().metadata }

    func close() { database.withLock { $0 = nil } }
}

/// A transaction on a copy of the state.
final class DictionaryTransaction: StoreTransaction {
    private(set) var database: Database
    /// A Boolean value that indicates whether the transaction has ended.
    var isOver = false

    init(_ database: Database) {
        self.database = database
    }

    var model: ManagedObjectModel { database.model }

    private func checkOpen() throws {
        if isOver { throw PersistenceError.transactionIsOver }
    }

    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try checkOpen()
        try database.select(request).read(body)
    }

    func count(_ request: ResolvedRequest) throws -> Int {
        try checkOpen()
        return try database.select(request.unsorted).count
    }

    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        try checkOpen()
        return StoredRowCursor(try database.select(request)) { [self] in try checkOpen() }
    }

    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try checkOpen()
        for row in database.select(request) {
            if case .stop = try body(row) { return }
        }
    }

    func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        try checkOpen()
        return try database.save(changes)
    }
}
