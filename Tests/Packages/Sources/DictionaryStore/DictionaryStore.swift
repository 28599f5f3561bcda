import Foundation
public import StrataCore
import Synchronization

/// A store over dictionaries: the example of "Implementing a store", and what shows that a stranger can write one.
///
/// Right before fast: every request looks at every row.
public final class DictionaryStore: PersistentStore {
    /// The model the store was made with.
    public let model: ManagedObjectModel
    private let identifier = UUID()
    /// `nil` once the store is closed.
    private let database: Mutex<Database?>
    /// Held by whoever writes: writers wait for each other, readers for nobody.
    private let writing = WriterLock()

    /// An empty store.
    public init(model: ManagedObjectModel) {
        self.model = model
        database = Mutex(Database(model))
    }

    /// The state now; a copy, which nobody changes.
    func current() throws -> Database {
        guard let database = database.withLock({ $0 }) else { throw PersistenceError.storeClosed }
        return database
    }

    /// Runs `body` on a copy of the state, which takes its place unless `body` throws.
    private func write<Result: Sendable>(_ body: (inout Database) throws -> Result) throws -> Result {
        try writing.withLock {
            var next = try current()
            let result = try body(&next)
            database.withLock { $0 = next }
            return result
        }
    }

    /// Kind and identifier.
    public func information() throws -> StoreInformation {
        _ = try current()
        return StoreInformation(kind: "dictionaries", identifier: identifier)
    }

    // MARK: Reading

    /// Gives the rows a request selects to `body`, from the state at the beginning.
    public func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try current().select(request).read(body)
    }

    /// The number of rows a request selects.
    public func count(_ request: ResolvedRequest) throws -> Int { try current().select(request.unsorted).count }

    /// A cursor over the rows a request selects now.
    public func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        StoredRowCursor(try current().select(request)) { [self] in _ = try current() }
    }

    /// Gives the pairs a request selects to `body`.
    public func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        for row in try current().select(request) {
            if case .stop = try body(row) { return }
        }
    }

    /// Snapshots of the state now.
    public func openSnapshots(_ count: Int) throws -> [any StoreSnapshot] {
        try PersistenceError.checkSnapshotCount(count)
        let database = try current()
        return (0..<count).map { _ in DictionarySnapshot(database, of: self) }
    }

    /// The text that was kept under a key.
    public func metadata(forKey key: String) throws -> String? { try current().metadata[key] }

    // MARK: Writing

    /// Writes a set of changes, all or none.
    public func save(_ changes: ChangeSet) throws -> [StoreConflict] { try write { try $0.save(changes) } }

    /// Takes the next identifiers.
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

    /// Runs `body` on a state of its own, which takes the store's place where it commits.
    public func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        try write { database in
            let transaction = DictionaryTransaction(database)
            defer { transaction.isOver = true }
            if case .commit = try body(transaction) { database = transaction.database }
        }
    }

    /// Waits for writers under way, closes the store and forgets its rows.
    public func close() throws {
        try writing.withLock { database.withLock { $0 = nil } }
    }
}
