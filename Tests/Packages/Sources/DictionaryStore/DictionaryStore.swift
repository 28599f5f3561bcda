import Foundation
public import StrataCore
public import StrataStoreKit
import Synchronization

/// A store over dictionaries: the example of "Implementing a store", which shows that other packages can implement
/// stores.
///
/// The store favors simplicity over speed: every request reads every row.
public final class DictionaryStore: PersistentStore {
    /// The model with which the store was created.
    public let model: ManagedObjectModel
    private let identifier = UUID()
    /// The state, or `nil` after the store was closed.
    private let database: Mutex<Database?>
    /// The lock of writers, which wait for each other; readers never wait.
    private let writing = WriterLock()

    /// Creates an empty store.
    public init(model: ManagedObjectModel) {
        self.model = model
        database = Mutex(Database(model))
    }

    /// Returns a copy of the current state.
    func current() throws -> Database {
        guard let database = database.withLock({ $0 }) else { throw PersistenceError.storeClosed }
        return database
    }

    /// Runs `body` on a copy of the state, which replaces the state unless `body` throws.
    private func write<Result: Sendable>(_ body: (inout Database) throws -> Result) throws -> Result {
        try writing.withLock {
            var next = try current()
            let result = try body(&next)
            database.withLock { $0 = next }
            return result
        }
    }

    /// Returns the kind and the identifier of the store.
    public func information() throws -> StoreInformation {
        _ = try current()
        return StoreInformation(kind: "dictionaries", identifier: identifier)
    }

    // MARK: Reading

    /// Passes the rows that a request selects to `body`, from the state at the beginning.
    public func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try current().select(request).read(body)
    }

    /// Returns the number of rows that a request selects.
    public func count(_ request: ResolvedRequest) throws -> Int { try current().select(request.unsorted).count }

    /// Returns a cursor over the rows that a request selects now.
    public func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        StoredRowCursor(try current().select(request)) { [self] in _ = try current() }
    }

    /// Passes the join rows that a request selects to `body`.
    public func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        for row in try current().select(request) {
            if case .stop = try body(row) { return }
        }
    }

    /// Returns snapshots of the current state.
    public func openSnapshots(_ count: Int) throws -> [any StoreSnapshot] {
        try PersistenceError.checkSnapshotCount(count)
        let database = try current()
        return (0..<count).map { _ in DictionarySnapshot(database, of: self) }
    }

    /// Returns the text of a key.
    public func metadata(forKey key: String) throws -> String? { try current().metadata[key] }

    // MARK: Writing

    /// Writes a set of changes, all or none.
    public func save(_ changes: ChangeSet) throws -> [StoreConflict] { try write { try $0.save(changes) } }

    /// Reserves the next identifiers.
    public func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        try write { try $0.reserve(count, of: entity) }
    }

    /// Writes rows, all or none.
    public func writeRows(_ body: (any RowWriter) throws -> Void) throws {
        try write { database in
            let writer = BulkWriter(database)
            defer { writer.end() }
            try body(writer)
            try writer.checkReferences()
            database = writer.database
        }
    }

    /// Runs `body` on a copy of the state, which replaces the store's state on commit.
    public func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        try write { database in
            let transaction = DictionaryTransaction(database)
            defer { transaction.isOver = true }
            if case .commit = try body(transaction) { database = transaction.database }
        }
    }

    /// Waits for active writers, closes the store and releases its rows.
    public func close() throws {
        try writing.withLock { database.withLock { $0 = nil } }
    }
}
