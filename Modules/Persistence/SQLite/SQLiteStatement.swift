import CStrataSQLite
import StrataCore

/// A prepared statement, kept by its connection and used again.
final class SQLiteStatement {
    let handle: OpaquePointer
    let sql: String
    private unowned let connection: SQLiteConnection
    /// Whether somebody uses the statement, be it for several runs.
    private(set) var isInUse = false
    /// Whether the current run was begun and not ended.
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
        // Made for the schema of this moment: whoever changes it later is noticed by the first step.
        do { try connection.generation?.check(on: connection) } catch {
            finalize()
            throw error
        }
    }

    deinit {
        finalize()
    }

    /// Whether the statement was given back, whoever still holds it.
    private var isFinalized = false

    /// Gives the statement back: a connection that closes keeps its file open as long as there is one.
    ///
    /// Nothing is done with it afterwards.
    func finalize() {
        guard !isFinalized else { return }
        isFinalized = true
        // It repeats the code of the step that failed, which was thrown then.
        _ = sqlite3_finalize(handle)
    }

    /// Keeps the statement from being given to somebody else before its first step, also where it takes no values.
    func markInUse() { isInUse = true }

    func bind(_ values: some Sequence<StoredValue>) throws {
        var index: Int32 = 1
        for value in values {
            try bind(value, at: index)
            index += 1
        }
    }

    /// Binds one parameter; the first has the number 1.
    func bind(_ value: StoredValue, at index: Int32) throws {
        isInUse = true
        let code = SQLiteValues.bind(value, to: handle, index)
        guard code == SQLITE_OK else { throw connection.failure(code, sql: sql).error(path: connection.path) }
    }

    /// Binds one parameter to a whole number.
    func bind(_ number: Int64, at index: Int32) throws {
        isInUse = true
        let code = sqlite3_bind_int64(handle, index, number)
        guard code == SQLITE_OK else { throw connection.failure(code, sql: sql).error(path: connection.path) }
    }

    /// True when the statement stands on a row, false when it is done.
    func step() throws -> Bool {
        isInUse = true
        let isFirst = !isRunning
        isRunning = true
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW || code == SQLITE_DONE {
            if isFirst, connection.generation != nil { try checkSchema() }
            return code == SQLITE_ROW
        }
        // Taken before anything else is asked, which would have the connection forget it.
        let failure = connection.failure(code, sql: sql)
        // What the later model does not let stand is no mistake of whoever writes with the earlier one.
        if [SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_CONSTRAINT].contains(failure.primary) {
            try connection.generation?.check(on: connection)
        }
        throw failure.error(path: connection.path, busyTimeout: connection.busyTimeout)
    }

    /// How often SQLite has prepared the statement anew, when that was last looked at.
    private var preparations: Int32 = 0

    /// Looks whether the store is still of the model that it was opened with, where its schema has changed.
    private func checkSchema() throws {
        let count = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
        guard count != preparations else { return }
        try connection.generation?.check(on: connection)
        // Only now: a store that was migrated stays so, however often somebody tries.
        preparations = count
    }

    /// Runs the statement to its end and frees it.
    func run(_ values: some Sequence<StoredValue>) throws {
        defer { reset() }
        try bind(values)
        while try step() {}
    }

    /// Frees the statement for its next use; the values it was bound to are forgotten.
    func reset() {
        rewind()
        _ = sqlite3_clear_bindings(handle)
        isInUse = false
    }

    /// Ends one run of a series in which every run binds all parameters anew; SQLite then writes into the memory of the last run's values.
    ///
    /// ``reset()`` ends the series.
    func rewind() {
        // sqlite3_reset repeats the code of the step that failed, which was thrown then.
        _ = sqlite3_reset(handle)
        if isRunning { connection.counts.runs += 1 }
        isRunning = false
    }
}
