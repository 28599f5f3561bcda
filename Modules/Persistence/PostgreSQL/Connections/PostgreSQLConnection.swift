#if PostgreSQL
import CStrataPostgreSQL
import Foundation
import StrataCore
import StrataSQL

/// A connection to a PostgreSQL server, with its prepared statements.
///
/// A connection is not synchronized: libpq requires that only one thread at a time uses a connection
/// (postgresql.org/docs/15/libpq-threading.html).
///
/// SAFETY: the store provides a connection to one borrower at a time.
final class PostgreSQLConnection: @unchecked Sendable {
    /// The maximum count of prepared statements, which exceeds the count of statements that applications repeat.
    static let preparedStatements = 128

    let handle: OpaquePointer
    /// The location of the store for error messages, without a password.
    let place: String
    /// The names of the prepared statements, by the texts of the statements and the types of their parameters.
    private var prepared: [PreparedKey: String] = [:]
    private var preparedCount = 0
    /// The count of rows that the last statement changed.
    private(set) var changes = 0
    /// The cancellation that can end the running statement; `nil` if the statement cannot be canceled.
    private(set) var cancellation: PostgreSQLCancellation?
    /// The statement that was sent and whose result was not received yet; `nil` if there is none.
    private var awaited: PostgreSQLAwaited?
    /// The statements that begin the pending transaction; `nil` after they were sent with the transaction's first
    /// statement.
    var beginning: PostgreSQLBeginning?
    /// The parameter values of the statement that will be sent next.
    var parameters = PostgreSQLParameters()
    /// The count of server-side cursors that the connection has opened, from which unique names of cursors are derived.
    private var cursorCount = 0

    private struct PreparedKey: Hashable {
        let sql: String
        let kinds: [UInt32]
    }

    /// Creates a connection to a server.
    ///
    /// - Parameters:
    ///   - parameters: The connection parameters of libpq, by their names; the value of `dbname` may be a whole
    ///     connection string.
    ///   - place: The location of the store for error messages.
    ///   - wakeUp: The pipe whose signal cancels the attempt to connect, or `nil`.
    /// - Throws: ``PersistenceError`` with the server's message if the connection fails.
    init(_ parameters: [(name: String, value: String)], place: String, unless wakeUp: WakeUpPipe? = nil) throws {
        self.place = place
        let names = parameters.map { strdup($0.name) } + [nil]
        let values = parameters.map { strdup($0.value) } + [nil]
        defer { for text in names + values { free(text) } }
        var constNames = names.map { UnsafePointer($0) }
        var constValues = values.map { UnsafePointer($0) }
        let connect = wakeUp == nil ? PQconnectdbParams : PQconnectStartParams
        guard let handle = connect(&constNames, &constValues, 1) else {
            throw PersistenceError(.database, "libpq is out of memory", path: place)
        }
        self.handle = handle
        if let wakeUp { Self.goOn(handle, unless: wakeUp) }
        guard PQstatus(handle) == CONNECTION_OK else {
            let message = Self.message(handle)
            PQfinish(handle)
            isClosed = true
            throw PersistenceError(.inputOutput, "no connection to the server: \(message)", path: place)
        }
        PQsetNoticeReceiver(
            handle,
            { context, notice in
                guard let context else { return }
                Unmanaged<PostgreSQLConnection>.fromOpaque(context).takeUnretainedValue().receive(notice)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { close() }

    /// The identity of the history in which the server's transaction identifiers are valid; `nil` if the server does
    /// not report it.
    ///
    /// It consists of the timeline, which changes when a standby server is promoted, and the time of the last reset of
    /// the statistics, which occurs also after a crash of the server.
    private(set) var numbering: String?

    /// The kind and capabilities of the server.
    var server = PostgreSQLServer.usual
    /// The names of the tables of the store's model.
    var tables: [String] = []

    /// Prepares the connection for use after the store is opened.
    func beginUse(_ schema: String) throws {
        findNumbering()
        try lockAsOpen(schema)
        // These are the settings of ``beginning(isReadOnly:)`` for statements outside an explicit transaction.
        try execute("SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off")
    }

    /// Reads ``numbering`` from the server; with Citus, each node has its own history, so the value remains `nil`.
    func findNumbering() {
        if server.isCitus { return }
        // A server or a role without this function only loses the ability to resolve the outcome of a lost commit.
        numbering = try? text(
            "SELECT timeline_id || ' ' || coalesce((SELECT stats_reset::text FROM pg_stat_bgwriter), '') FROM pg_control_checkpoint()"
        )
    }

    private(set) var isClosed = false

    /// Closes the connection; the caller must ensure that no other code uses it.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        prepared = [:]
        PQfinish(handle)
    }

    private var transactionStatus: PGTransactionStatusType {
        settle()
        return PQtransactionStatus(handle)
    }
    /// A Boolean value that indicates whether the server has an open or failed transaction of this connection.
    var isInTransaction: Bool { transactionStatus != PQTRANS_IDLE }
    /// A Boolean value that indicates whether a transaction is open or pending, and no statement has failed in it.
    var isTransactionGood: Bool { beginning != nil || transactionStatus == PQTRANS_INTRANS }
    /// A Boolean value that indicates whether libpq has detected the loss of the connection.
    var isLost: Bool { PQstatus(handle) != CONNECTION_OK }
    /// A Boolean value that indicates whether the connection can be returned to its pool for another borrower.
    var isUsable: Bool {
        !isClosed && PQstatus(handle) == CONNECTION_OK && transactionStatus == PQTRANS_IDLE
    }
    /// A Boolean value that indicates whether the last failure was a deadlock.
    var isDeadlocked = false

    /// A Boolean value that indicates whether the server has announced that it ends the connection.
    private var isEnding = false

    /// Handles a notice of the server, which may announce that the server ends the connection because it was idle.
    private func receive(_ notice: OpaquePointer?) {
        // The letter is libpq's PG_DIAG_SQLSTATE.
        let state = PQresultErrorField(notice, Int32(UnicodeScalar("C").value)).map { String(cString: $0) }
        if state?.hasPrefix("57P") ?? false { isEnding = true }
    }

    /// A Boolean value that indicates whether the server has not ended the connection while it was idle.
    ///
    /// The check reads only data that the server has already sent; it sends no query.
    var isStillConnected: Bool {
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        if poll(&descriptor, 1, 0) == 0 { return !isEnding }
        // The first call reads what the server sent before it closed the connection; the second call detects the end,
        // if it has arrived.
        for _ in 0..<2 where PQconsumeInput(handle) != 1 { return false }
        // This call makes libpq parse what it has read.
        _ = PQisBusy(handle)
        return PQstatus(handle) == CONNECTION_OK && !isEnding
    }

    private static func message(_ handle: OpaquePointer) -> String {
        PQerrorMessage(handle).map { String(cString: $0) }?.trimmed ?? "unknown reason"
    }

    /// The error for a call of libpq that has returned no result, from libpq's message.
    var unanswered: PersistenceError {
        PersistenceError(
            PQstatus(handle) == CONNECTION_OK ? .database : .inputOutput, Self.message(handle), path: place)
    }

    // MARK: Statements

    func execute(_ sql: String) throws {
        settle()
        try begin()
        try executeAtOnce(sql)
    }

    /// Runs a statement immediately; if a transaction is pending, the statement does not begin it.
    private func executeAtOnce(_ sql: String) throws {
        let result = run {
            PQexec(handle, sql)
        } orSend: {
            PQsendQuery(handle, sql)
        }
        defer { PQclear(result) }
        try check(result, sql: sql)
    }

    /// Runs statements without parameters by one message and returns the result rows of the last one, with values as
    /// texts.
    func executeAll(_ statements: [String]) throws -> PostgreSQLResult {
        settle()
        try begin()
        let sql = statements.joined(separator: "; ")
        guard let result = run({ PQexec(handle, sql) }, orSend: { PQsendQuery(handle, sql) }) else {
            throw unanswered
        }
        do { try check(result, sql: sql) } catch {
            PQclear(result)
            throw error
        }
        return PostgreSQLResult(result)
    }

    /// Runs a statement until it is done and returns its result rows.
    ///
    /// If `isKept` is `true`, the statement is prepared once and reused. The statements that begin a pending
    /// transaction are sent in the same message, except if the statement must be prepared first: an error of the
    /// preparation may have a cause that only the beginning of the transaction reports.
    func query(_ sql: String, _ values: [StoredValue], isKept: Bool = true) throws -> PostgreSQLResult {
        settle()
        try parameters.take(values)
        if let beginning {
            try makeRoom(for: beginning.statements.count)
            let name = prepared[PreparedKey(sql: sql, kinds: parameters.kinds)]
            if !isKept || name != nil {
                return counted(try begin(beginning, with: PostgreSQLReadyStatement(sql: sql, name: name)))
            }
        }
        try begin()
        let name = isKept ? try preparedName(of: sql, parameters.kinds) : nil
        guard let result = runTaken(sql, preparedAs: name) else { throw unanswered }
        do { try check(result, sql: sql) } catch {
            PQclear(result)
            throw error
        }
        return counted(PostgreSQLResult(result))
    }

    /// Runs a statement with the parameter values in ``parameters``.
    private func runTaken(_ sql: String, preparedAs name: String?) -> OpaquePointer? {
        let kinds = parameters.kinds
        return parameters.withArguments { count, values, lengths, formats -> OpaquePointer? in
            guard let name else {
                return run {
                    PQexecParams(handle, sql, count, kinds, values, lengths, formats, 1)
                } orSend: {
                    PQsendQueryParams(handle, sql, count, kinds, values, lengths, formats, 1)
                }
            }
            return run {
                PQexecPrepared(handle, name, count, values, lengths, formats, 1)
            } orSend: {
                PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
            }
        }
    }

    private func counted(_ result: PostgreSQLResult) -> PostgreSQLResult {
        changes = PQcmdTuples(result.handle).map { Int(atoll($0)) } ?? 0
        return result
    }

    /// Returns a COPY statement that inserts rows into columns of a table, for ``copy(_:_:)``.
    func copying(into table: String, columns: String) -> String {
        "COPY \(table) (\(columns)) FROM STDIN (FORMAT binary)"
    }

    /// Runs a COPY statement, to which `body` writes the rows.
    func copy(_ sql: String, _ body: (inout PostgreSQLCopyWriter) throws -> Void) throws {
        settle()
        try begin()
        let result = PQexec(handle, sql)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COPY_IN else { return try check(result, sql: sql) }
        var failure: (any Error)?
        do {
            var writer = PostgreSQLCopyWriter { try self.send($0) }
            try body(&writer)
            try writer.end()
        } catch {
            failure = error
        }
        // If a reason is passed, the server discards all rows.
        if PQputCopyEnd(handle, failure == nil ? nil : "the rows are not whole") != 1 {
            failure = failure ?? PersistenceError(.inputOutput, Self.message(handle), path: place)
        }
        while let ended = PQgetResult(handle) {
            do { try check(ended, sql: sql) } catch { failure = failure ?? error }
            PQclear(ended)
        }
        if let failure { throw failure }
    }

    /// Sends a piece of the data of a COPY statement, in parts whose length is a 32-bit number.
    private func send(_ piece: UnsafeRawBufferPointer) throws {
        let size = 1 << 20
        for offset in stride(from: 0, to: piece.count, by: size) {
            let address = piece.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
            guard PQputCopyData(handle, address, Int32(min(size, piece.count - offset))) == 1 else {
                throw PersistenceError(.inputOutput, Self.message(handle), path: place)
            }
        }
    }

    /// Sends a statement without parameters and returns without its result, so that the caller can work while the
    /// server runs it.
    ///
    /// When the connection is used next, it first receives the result and stores it in the returned object.
    func send(_ sql: String) throws -> PostgreSQLAwaited {
        settle()
        try begin()
        guard PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1 else {
            throw PersistenceError(.inputOutput, Self.message(handle), path: place)
        }
        let awaited = PostgreSQLAwaited(sql)
        self.awaited = awaited
        return awaited
    }

    /// Returns the result rows of a statement that ``send(_:)-(String)`` has sent.
    func result(of awaited: PostgreSQLAwaited) throws -> PostgreSQLResult {
        settle()
        guard let result = awaited.result else { throw unanswered }
        return try result.get()
    }

    /// Receives the result of the statement that was sent before, because a connection runs one statement at a time.
    func settle() {
        guard let awaited else { return }
        self.awaited = nil
        cancellation?.wait(handle)
        while let handle = PQgetResult(handle) {
            let result = PostgreSQLResult(handle)
            awaited.result = Result {
                try check(handle, sql: awaited.sql)
                return result
            }
        }
    }

    /// Runs a statement and waits until it is done or canceled.
    private func run(_ execute: () -> OpaquePointer?, orSend send: () -> Int32) -> OpaquePointer? {
        guard let cancellation else { return execute() }
        guard send() == 1 else { return nil }
        var last: OpaquePointer?
        while true {
            cancellation.wait(handle)
            guard let result = PQgetResult(handle) else { return last }
            PQclear(last)
            last = result
            // The caller sends the rows of the COPY.
            if PQresultStatus(result) == PGRES_COPY_IN { return last }
        }
    }

    /// Runs `body`; if the caller cancels, the server ends the statement that `body` is running.
    ///
    /// - Parameters:
    ///   - isCancelled: A closure that returns whether the caller has canceled; the connection calls it several times
    ///     per second while a statement runs.
    ///   - body: A closure that runs statements.
    /// - Returns: The result of `body`.
    /// - Throws: An error that `body` throws, or `CancellationError`; the caller must then roll back the transaction.
    func cancelling<Result>(
        where isCancelled: @escaping @Sendable () -> Bool, _ body: () throws -> Result
    ) throws -> Result {
        let cancellation = PostgreSQLCancellation(isCancelled)
        self.cancellation = cancellation
        defer { self.cancellation = nil }
        do { return try body() } catch let error as PersistenceError {
            throw cancellation.hasCancelled && error.code == .locked ? CancellationError() : error
        }
    }

    /// Deallocates all prepared statements if `count` additional ones would exceed the maximum.
    func makeRoom(for count: Int) throws {
        guard prepared.count + count > Self.preparedStatements else { return }
        prepared = [:]
        try executeAtOnce("DEALLOCATE ALL")
    }

    /// Returns the name of the prepared statement for an SQL text, and prepares it if necessary.
    func preparedName(of sql: String, _ kinds: [UInt32] = []) throws -> String {
        let key = PreparedKey(sql: sql, kinds: kinds)
        if let name = prepared[key] { return name }
        try makeRoom(for: 1)
        preparedCount += 1
        let name = "strata_\(preparedCount)"
        // The preparation can also wait, for a table that another transaction has locked.
        let result = run {
            PQprepare(handle, name, sql, Int32(kinds.count), kinds)
        } orSend: {
            PQsendPrepare(handle, name, sql, Int32(kinds.count), kinds)
        }
        defer { PQclear(result) }
        try check(result, sql: sql)
        prepared[key] = name
        return name
    }

    func check(_ result: OpaquePointer?, sql: String) throws {
        guard let result else { throw unanswered }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_EMPTY_QUERY: return
        default:
            let failure = PostgreSQLFailure(result, sql: sql, from: server, tables: tables)
            isDeadlocked = failure.isDeadlock
            throw failure.error(place: place)
        }
    }

    /// Returns a name that no other server-side cursor of the connection has.
    func nextCursorName() -> String {
        cursorCount += 1
        return "strata_cursor_\(cursorCount)"
    }
}

/// A statement that was sent to the server, with its result after it was received.
final class PostgreSQLAwaited {
    let sql: String
    fileprivate(set) var result: Result<PostgreSQLResult, any Error>?

    fileprivate init(_ sql: String) { self.sql = sql }
}

/// The result rows of a statement.
final class PostgreSQLResult {
    let handle: OpaquePointer
    let rowCount: Int32

    init(_ handle: OpaquePointer) {
        self.handle = handle
        rowCount = PQntuples(handle)
    }

    deinit { PQclear(handle) }

    /// The size of the result in the process's memory, in bytes.
    var byteCount: Int { PQresultMemorySize(handle) }

    func field(row: Int32, column: Int32) -> PostgreSQLField {
        guard PQgetisnull(handle, row, column) == 0 else { return PostgreSQLField(bytes: nil) }
        let count = Int(PQgetlength(handle, row, column))
        return PostgreSQLField(bytes: UnsafeRawBufferPointer(start: PQgetvalue(handle, row, column), count: count))
    }

    /// Returns a field as a text, or `nil` if it is null or invalid UTF-8.
    func text(row: Int32, column: Int32) -> String? {
        withExtendedLifetime(self) { field(row: row, column: column).text }
    }
}

extension String {
    /// The text without the line ends at its end, which messages of libpq have.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }
}
#endif
