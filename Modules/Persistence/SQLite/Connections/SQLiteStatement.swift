import CStrataSQLite
import StrataCore

/// A prepared statement, which its connection caches and reuses.
final class SQLiteStatement {
    let handle: OpaquePointer
    let sql: String
    private unowned let connection: SQLiteConnection
    /// A Boolean value that indicates whether a caller uses the statement, possibly for several runs.
    private(set) var isInUse = false
    /// A Boolean value that indicates whether the statement is between its first step and the end of its run.
    private var isRunning = false

    init(_ sql: String, on connection: SQLiteConnection) throws {
        self.sql = sql
        self.connection = connection
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        if code != SQLITE_OK {
            let failure = connection.failure(code, sql: sql)
            try connection.generation?.check(on: connection)
            throw failure.error(path: connection.path, busyTimeout: connection.busyTimeout)
        }
        guard let prepared else { throw PersistenceError(.database, "an empty statement", path: connection.path) }
        handle = prepared
        connection.counts.prepared += 1
        // The statement is prepared for the current schema. Its first step detects a later change.
        do { try connection.generation?.check(on: connection) } catch {
            finalize()
            throw error
        }
    }

    deinit {
        finalize()
    }

    /// A Boolean value that indicates whether the statement was freed, which may happen while a caller still retains
    /// this object.
    private var isFinalized = false

    /// Frees the statement, because SQLite keeps a closed connection's file open as long as a statement of the
    /// connection exists.
    ///
    /// Callers must not use the object afterward.
    func finalize() {
        guard !isFinalized else { return }
        isFinalized = true
        // The call repeats the error code of the failed step, which was already thrown.
        _ = sqlite3_finalize(handle)
    }

    /// Reserves the statement for the caller before its first step, even if the statement has no parameters.
    func markInUse() { isInUse = true }

    func bind(_ values: some Sequence<StoredValue>) throws {
        var index: Int32 = 1
        for value in values {
            try bind(value, at: index)
            index += 1
        }
    }

    /// Binds a value to a parameter; the first parameter has the number 1.
    func bind(_ value: StoredValue, at index: Int32) throws {
        isInUse = true
        let code = SQLiteValues.bind(value, to: handle, index)
        guard code == SQLITE_OK else { throw connection.failure(code, sql: sql).error(path: connection.path) }
    }

    /// Binds an integer to a parameter; the first parameter has the number 1.
    func bind(_ number: Int64, at index: Int32) throws {
        isInUse = true
        let code = sqlite3_bind_int64(handle, index, number)
        guard code == SQLITE_OK else { throw connection.failure(code, sql: sql).error(path: connection.path) }
    }

    /// Advances to the next row; returns true if the statement is positioned on a row, and false if it is done.
    func step() throws -> Bool {
        isInUse = true
        let isFirst = !isRunning
        isRunning = true
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW || code == SQLITE_DONE {
            if isFirst, connection.generation != nil { try checkSchema() }
            return code == SQLITE_ROW
        }
        // The failure must be read first, because any other call replaces the connection's error.
        let failure = connection.failure(code, sql: sql)
        // If the new model of a migrated store rejects a statement, the error is not a mistake of the caller with the
        // old model.
        if [SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_CONSTRAINT].contains(failure.primary) {
            try connection.generation?.check(on: connection)
        }
        throw failure.error(path: connection.path, busyTimeout: connection.busyTimeout)
    }

    /// The count of repeated preparations that SQLite reported when the schema was last checked.
    private var preparations: Int32 = 0

    /// Throws if SQLite has prepared the statement again because the store was migrated to another model.
    private func checkSchema() throws {
        let count = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
        guard count != preparations else { return }
        try connection.generation?.check(on: connection)
        // The count is updated only after the check, so that a migrated store fails for every further attempt.
        preparations = count
    }

    /// Runs the statement with values for its parameters until it is done, and makes it available for the next use.
    func run(_ values: some Sequence<StoredValue>) throws {
        defer { reset() }
        try bind(values)
        while try step() {}
    }

    /// Ends the statement's use, clears its bound values, and makes it available for the next use.
    func reset() {
        rewind()
        _ = sqlite3_clear_bindings(handle)
        isInUse = false
    }

    /// Ends one run of a series of runs, each of which binds all parameters again.
    ///
    /// SQLite then reuses the memory of the last run's values. ``reset()`` ends the series.
    func rewind() {
        // `sqlite3_reset` repeats the error code of the failed step, which was already thrown.
        _ = sqlite3_reset(handle)
        if isRunning { connection.counts.runs += 1 }
        isRunning = false
    }
}
