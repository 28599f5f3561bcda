import CStrataSQLite
import StrataCore
import StrataSQL

/// A reading connection inside a transaction, which shows one snapshot of the file.
final class SQLiteSnapshot: StoreSnapshot {
    private let layout: SQLLayout
    private let lease: SQLiteLease

    init(_ layout: SQLLayout, _ pool: SQLiteConnectionPool) throws {
        self.layout = layout
        lease = try SQLiteLease(pool)
    }

    /// Begins the transaction and reads, because the first read determines the snapshot.
    func begin() throws {
        _ = try lease.withConnection { connection in
            try connection.execute("BEGIN")
            _ = try connection.number("SELECT count(*) FROM sqlite_schema")
        }
    }

    /// Ends the transaction, so that it can begin again.
    func cancel() throws {
        _ = try lease.withConnection { $0.rollBack() }
    }

    var model: ManagedObjectModel { layout.model }

    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try cursor(request).fetch(body)
    }

    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor { try cursor(request) }

    private func cursor(_ request: ResolvedRequest) throws -> SQLiteCursor {
        guard let cursor = try SQLiteCursor(request, layout, on: lease, ownsLease: false) else {
            throw PersistenceError.snapshotClosed
        }
        return cursor
    }

    func count(_ request: ResolvedRequest) throws -> Int {
        guard let count = try lease.withConnection({ try $0.count(request, in: layout) }) else {
            throw PersistenceError.snapshotClosed
        }
        try lease.checkUnchanged()
        return count
    }

    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        let done: Void? = try lease.withConnection { try $0.joins(request, in: layout, body) }
        guard done != nil else { throw PersistenceError.snapshotClosed }
        try lease.checkUnchanged()
    }

    func close() { lease.end() }

    /// Copies the snapshot page by page and replaces another connection's content.
    ///
    /// See ``SQLiteBackup/copy(from:to:willCopy:)``.
    func copy(to other: SQLiteConnection, willCopy: (_ pages: Int, _ all: Int) throws -> Void) throws {
        let done: Void? = try lease.withConnection { try SQLiteBackup.copy(from: $0, to: other, willCopy: willCopy) }
        guard done != nil else { throw PersistenceError.snapshotClosed }
        try lease.checkUnchanged()
    }

    func identifierMarks() throws -> [String: Int64] {
        let marks = try lease.withConnection { connection in
            let entities = try connection.texts(layout.markedEntities)
            return try entities.map { ($0, try SQLSequence($0, in: layout, on: connection).next()) }
        }
        guard let marks else { throw PersistenceError.snapshotClosed }
        try lease.checkUnchanged()
        return Dictionary(marks, uniquingKeysWith: max)
    }

    func metadata() throws -> [String: String] {
        let prefix = SQLLayout.userKeyPrefix
        let entries = try lease.withConnection { connection in
            let keys = try connection.texts(layout.metadataKeys)
            return try keys.filter { $0.hasPrefix(prefix) }.map { key in
                let value = try connection.text(layout.metadataSelection, .string(key)) ?? ""
                return (String(key.dropFirst(prefix.count)), value)
            }
        }
        guard let entries else { throw PersistenceError.snapshotClosed }
        try lease.checkUnchanged()
        return Dictionary(entries) { first, _ in first }
    }
}
