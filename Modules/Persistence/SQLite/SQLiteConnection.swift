import CStrataSQLite
import StrataCore

/// One connection to a database, with its prepared statements.
///
/// Not synchronised: no two threads may be inside it at once, which is what SQLite's multi-thread mode asks for.
///
/// SAFETY: the store gives a connection to one borrower at a time, under its writer's lock or from its pool.
final class SQLiteConnection: @unchecked Sendable {
    /// How a file is opened.
    enum Access {
        case readWrite, create, readOnly
        /// Nobody can write the file, so it is read without locks and without companions.
        case immutable
    }

    /// More statements than an application repeats; a request made of a long list has a statement of its own that is not kept.
    static let cachedStatements = 128

    /// How much of the file a connection that answers requests keeps in memory, and sorts in, in KiB.
    ///
    /// SQLite's 2 MB is less than the tables that services read again and again: 100,000 employees, 5 MB, took 3 % longer with it. Rails has 2,000 pages,
    /// which is as much (`DEFAULT_PRAGMAS` of its adapter for SQLite). A connection that writes has SQLite's, so that a large save does not grow for it,
    /// and so has one that reads everything once: an export, a report, a stream.
    private static let keptKibibytes = 8 * 1024
    private static let mostKibibytes = 64 * 1024

    let handle: OpaquePointer
    let path: String
    let busyTimeout: Duration
    private var statements: [String: SQLiteStatement] = [:]
    /// How rows are read, by their entities' names.
    private var shapes: [String: SQLiteRowShape] = [:]
    /// What the store was when it was opened; `nil` where nobody minds what it is.
    var generation: SQLiteGeneration?
    /// What the connection did so far; tests ask that nothing is done once a row, or prepared twice.
    var counts = Counts()
    /// The count of frames in the log after the last commit of this connection; 0 before the first one.
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
    /// SQLite's automatic checkpoint is such a hook itself, and a connection has only one
    /// (sqlite.org/c3ref/wal_hook.html). ``SQLiteCheckpoint`` says why Strata runs its own checkpoints.
    private func turnOffAutomaticCheckpoints() {
        // SAFETY: the hook runs inside a commit of this connection, which its caller retains meanwhile.
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

    /// Sets the time that SQLite waits for locks of other connections.
    ///
    /// - Parameter timeout: The time; the one the connection was opened with if `nil`.
    func setBusyTimeout(_ timeout: Duration? = nil) {
        let busyTimeout = timeout ?? busyTimeout
        let (seconds, overflows) = busyTimeout.components.seconds.multipliedReportingOverflow(by: 1000)
        let milliseconds =
            overflows ? Int64(Int32.max) : seconds &+ busyTimeout.components.attoseconds / 1_000_000_000_000_000
        sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
    }

    private var keepsPages = false

    /// Keeps more of what it reads from now on.
    ///
    /// What it has is given up at its next reading after somebody wrote.
    ///
    /// - Parameter ofRowsInAnyOrder: Whether rows are inserted all over a table. Without room for its pages, each of
    ///     them is written and read
    ///   again for every few rows, which takes ten times as long for a million.
    /// - Throws: ``PersistenceError``.
    func keepPages(ofRowsInAnyOrder: Bool = false) throws {
        guard !keepsPages || ofRowsInAnyOrder else { return }
        try execute("PRAGMA cache_size = \(-(ofRowsInAnyOrder ? Self.mostKibibytes : Self.keptKibibytes))")
        keepsPages = true
    }

    /// How many pages came from the file since this was asked last; tests ask that what is kept does not come again.
    func takePagesRead() throws -> Int {
        var (count, highest): (Int32, Int32) = (0, 0)
        try check(sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_MISS, &count, &highest, 1))
        return Int(count)
    }

    private(set) var isClosed = false

    /// Gives the statements and the connection back.
    ///
    /// Never called while somebody uses it.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// The statement of that text: the prepared one where there is one and it is free.
    func statement(_ sql: String) throws -> SQLiteStatement {
        if let statement = statements[sql], !statement.isInUse { return statement }
        let statement = try SQLiteStatement(sql, on: self)
        if statements.count >= Self.cachedStatements { statements = statements.filter(\.value.isInUse) }
        if statements[sql] == nil { statements[sql] = statement }
        return statement
    }

    /// How the rows of an entity are read.
    func shape(of entity: EntityDescription) -> SQLiteRowShape {
        if let known = shapes[entity.name], known.entity.isSame(as: entity) { return known }
        let shape = SQLiteRowShape(entity)
        shapes[entity.name] = shape
        return shape
    }

    /// Runs statements that give no rows and take no values.
    func execute(_ sql: String) throws {
        try check(sqlite3_exec(handle, sql, nil, nil, nil), sql: sql)
    }

    /// Runs one statement to its end.
    func run(_ sql: String, _ values: StoredValue...) throws {
        try statement(sql).run(values)
    }

    /// The first column of a statement's first row as a number; `nil` when it gives no row.
    func number(_ sql: String, _ values: StoredValue...) throws -> Int64? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? sqlite3_column_int64(statement.handle, 0) : nil
    }

    /// The first column of a statement's first row as text; `nil` when it gives no row.
    func text(_ sql: String, _ values: StoredValue...) throws -> String? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        guard try statement.step(), let text = sqlite3_column_text(statement.handle, 0) else { return nil }
        return String(cString: text)
    }

    /// The first column of all of a statement's rows as texts.
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

    /// Runs `body` in a write transaction that begins at once, so that it never has to be given up half way for another writer.
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

    /// Ends the transaction, if there still is one, as if it had never been.
    func rollBack() {
        // Some errors (a full disk, an interrupt) end the transaction by themselves. A rollback that fails leaves nothing to do: the
        // transaction is not committed, and the next BEGIN would report it.
        guard sqlite3_get_autocommit(handle) == 0 else { return }
        _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }

    /// Whether a transaction has begun and not ended, be it by SQLite itself.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Refuses to go on where SQLite has ended the transaction by itself: what came now would be stored at once, and alone.
    func checkInTransaction() throws {
        guard !isInTransaction else { return }
        throw PersistenceError(
            .database, "an error before this one ended the transaction; nothing was stored", path: path)
    }

    /// The number of rows the last statement changed.
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
