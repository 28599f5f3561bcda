import CStrataSQLite
import StrataCore

/// A connection to a SQLite database, with its cached prepared statements.
///
/// A connection is not synchronized: only one thread may use it at a time, as SQLite's multi-thread mode requires.
///
/// SAFETY: the store provides a connection to one borrower at a time, under its writer's lock or from its pool.
final class SQLiteConnection: @unchecked Sendable {
    /// The mode in which a file is opened.
    enum Access {
        case readWrite, create, readOnly
        /// Read-only, without locks and without a log, because no process can write the file.
        case immutable
    }

    /// The maximum count of cached prepared statements, which exceeds the count of statements that applications repeat.
    ///
    /// Requests with long lists have statements of their own, which are not cached.
    static let cachedStatements = 128

    /// The size of the page cache and of the memory for sorting, in KiB, for a connection that answers repeated
    /// requests.
    ///
    /// SQLite's default of 2 MB is smaller than the tables that services read repeatedly: with it, reading 100,000
    /// employees (5 MB) took 3 % longer. Rails uses the same size, 2,000 pages (`DEFAULT_PRAGMAS` of its adapter for
    /// SQLite). Two kinds of connections use SQLite's default instead: the writing connection, so that its memory does
    /// not grow during a large save, and connections that read everything once for an export, a report or a stream.
    private static let keptKibibytes = 8 * 1024
    private static let mostKibibytes = 64 * 1024

    let handle: OpaquePointer
    let path: String
    let busyTimeout: Duration
    private var statements: [String: SQLiteStatement] = [:]
    /// The mappings from result columns to the values of entities, by the entities' names.
    private var shapes: [String: SQLiteRowShape] = [:]
    /// The identity of the store when it was opened; `nil` if the connection does not check that the store is still the
    /// same.
    var generation: SQLiteGeneration?
    /// The counts of the connection's operations, by which tests detect operations for each row and repeated
    /// preparations.
    var counts = Counts()
    /// The count of frames in the log after the last commit of this connection; 0 before its first commit.
    private(set) var logFrames = 0

    struct Counts: Equatable {
        var prepared = 0
        var runs = 0
        var transactions = 0
    }

    init(path: String, access: Access, busyTimeout: Duration) throws {
        self.path = path
        self.busyTimeout = busyTimeout
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var name = path
        switch access {
        case .readWrite: flags |= SQLITE_OPEN_READWRITE
        case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .readOnly: flags |= SQLITE_OPEN_READONLY
        case .immutable:
            flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = "file:\(Self.percentEncoded(path))?immutable=1"
        }
        var opened: OpaquePointer?
        let result = sqlite3_open_v2(name, &opened, flags, nil)
        guard let opened else { throw PersistenceError(.database, "SQLite is out of memory", path: path) }
        guard result == SQLITE_OK else {
            let error = SQLiteFailure(
                code: result, message: String(cString: sqlite3_errmsg(opened)),
                systemError: sqlite3_system_errno(opened)
            ).error(path: path)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        setBusyTimeout()
        try check(strata_harden(handle))
        try SQLiteFunctions.register(on: handle)
        try execute("PRAGMA foreign_keys = ON")
        turnOffAutomaticCheckpoints()
    }

    /// Replaces SQLite's automatic checkpoints by a hook that counts the frames of the log.
    ///
    /// SQLite's automatic checkpoint is itself such a hook, and a connection can have only one
    /// (sqlite.org/c3ref/wal_hook.html). ``SQLiteCheckpoint`` explains why Strata runs its own checkpoints.
    private func turnOffAutomaticCheckpoints() {
        // SAFETY: the hook runs inside a commit of this connection, whose caller retains the connection meanwhile.
        sqlite3_wal_hook(
            handle,
            { connection, _, _, frames in
                if let connection {
                    Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue().logFrames = Int(frames)
                }
                return SQLITE_OK
            },
            Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        close()
    }

    /// Sets the maximum time that SQLite waits for locks of other connections.
    ///
    /// - Parameter timeout: The maximum time; if `nil`, the time that was set when the connection was opened.
    func setBusyTimeout(_ timeout: Duration? = nil) {
        let busyTimeout = timeout ?? busyTimeout
        let (seconds, overflows) = busyTimeout.components.seconds.multipliedReportingOverflow(by: 1000)
        let milliseconds =
            overflows ? Int64(Int32.max) : seconds &+ busyTimeout.components.attoseconds / 1_000_000_000_000_000
        sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
    }

    private var keepsPages = false

    /// Enlarges the connection's page cache.
    ///
    /// SQLite discards the cached pages when the connection first reads after another connection wrote.
    ///
    /// - Parameter ofRowsInAnyOrder: A Boolean value that indicates whether rows will be inserted at arbitrary
    ///   positions of a table. With a cache that is smaller than the table, SQLite would then write and read each page
    ///   again for every few rows, which takes ten times as long for a million rows.
    /// - Throws: ``PersistenceError`` if SQLite rejects the setting.
    func keepPages(ofRowsInAnyOrder: Bool = false) throws {
        guard !keepsPages || ofRowsInAnyOrder else { return }
        try execute("PRAGMA cache_size = \(-(ofRowsInAnyOrder ? Self.mostKibibytes : Self.keptKibibytes))")
        keepsPages = true
    }

    /// Returns the count of pages that the connection has read from the file since the previous call; tests use it to
    /// check the cache.
    func takePagesRead() throws -> Int {
        var (count, highest): (Int32, Int32) = (0, 0)
        try check(sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_MISS, &count, &highest, 1))
        return Int(count)
    }

    private(set) var isClosed = false

    /// Frees the statements and closes the connection.
    ///
    /// The caller must ensure that no thread uses the connection.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// Returns a statement for an SQL text: the cached prepared statement if it is not in use, otherwise a new one.
    func statement(_ sql: String) throws -> SQLiteStatement {
        if let statement = statements[sql], !statement.isInUse { return statement }
        let statement = try SQLiteStatement(sql, on: self)
        if statements.count >= Self.cachedStatements { statements = statements.filter(\.value.isInUse) }
        if statements[sql] == nil { statements[sql] = statement }
        return statement
    }

    /// Returns the mapping from result columns to the values of an entity's rows.
    func shape(of entity: EntityDescription) -> SQLiteRowShape {
        if let known = shapes[entity.name], known.entity.isSame(as: entity) { return known }
        let shape = SQLiteRowShape(entity)
        shapes[entity.name] = shape
        return shape
    }

    /// Runs one or more statements that return no rows and have no parameters.
    func execute(_ sql: String) throws {
        try check(sqlite3_exec(handle, sql, nil, nil, nil), sql: sql)
    }

    /// Runs the statement with an SQL text until it is done.
    func run(_ sql: String, _ values: StoredValue...) throws {
        try statement(sql).run(values)
    }

    /// Returns the first column of a statement's first row as an integer, or `nil` if the statement returns no row.
    func number(_ sql: String, _ values: StoredValue...) throws -> Int64? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? sqlite3_column_int64(statement.handle, 0) : nil
    }

    /// Returns the first column of a statement's first row as text, or `nil` if the statement returns no row.
    func text(_ sql: String, _ values: StoredValue...) throws -> String? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        guard try statement.step(), let text = sqlite3_column_text(statement.handle, 0) else { return nil }
        return String(cString: text)
    }

    /// Returns the first column of all result rows of a statement as text.
    func texts(_ sql: String, _ values: StoredValue...) throws -> [String] {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        var texts: [String] = []
        while try statement.step() {
            if let text = sqlite3_column_text(statement.handle, 0) { texts.append(String(cString: text)) }
        }
        return texts
    }

    /// Runs `body` in a write transaction, which is committed if `body` returns and rolled back if it throws.
    ///
    /// The transaction takes the write lock at its beginning. Otherwise another writer could prevent it from writing
    /// later.
    func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN IMMEDIATE")
        counts.transactions += 1
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Rolls back the transaction, if there is one.
    func rollBack() {
        // Some errors (a full disk, an interrupt) end the transaction automatically. If the rollback fails, nothing is
        // left to do: the transaction is not committed, and the next BEGIN would report it.
        guard sqlite3_get_autocommit(handle) == 0 else { return }
        _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }

    /// A Boolean value that indicates whether a transaction is open; after some errors, SQLite ends a transaction by
    /// itself.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Throws if SQLite has ended the transaction by itself; SQLite would then commit every further statement
    /// separately.
    func checkInTransaction() throws {
        guard !isInTransaction else { return }
        throw PersistenceError(
            .database, "an error before this one ended the transaction; nothing was stored", path: path)
    }

    /// The count of rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes64(handle)) }

    func check(_ code: Int32, sql: String? = nil) throws {
        guard code != SQLITE_OK, code != SQLITE_ROW, code != SQLITE_DONE else { return }
        throw failure(code, sql: sql).error(path: path, busyTimeout: busyTimeout)
    }

    func failure(_ code: Int32, sql: String?) -> SQLiteFailure {
        SQLiteFailure(
            code: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql,
            systemError: sqlite3_system_errno(handle))
    }

    private static func percentEncoded(_ path: String) -> String {
        var text = ""
        for byte in path.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E:
                text.unicodeScalars.append(.init(byte))
            default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}
