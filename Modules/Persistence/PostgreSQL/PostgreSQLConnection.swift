#if PostgreSQL
import CStrataPostgreSQL
import Foundation
import StrataCore
import StrataSQL

/// One connection to a server, with its prepared statements.
///
/// Not synchronised: a connection of libpq belongs to one thread at a time (postgresql.org/docs/15/libpq-threading.html).
///
/// SAFETY: the store gives a connection to one borrower at a time.
final class PostgreSQLConnection: @unchecked Sendable {
    /// More statements than an application repeats.
    static let preparedStatements = 128

    let handle: OpaquePointer
    /// Where the store is, for errors: no password in it.
    let place: String
    /// The names of prepared statements by their texts and the types of their parameters.
    private var prepared: [PreparedKey: String] = [:]
    private var preparedCount = 0
    /// The number of rows the last statement changed.
    private(set) var changes = 0
    /// Ends statements where somebody asks for that.
    private(set) var cancellation: PostgreSQLCancellation?
    /// What was sent and not waited for.
    private var awaited: PostgreSQLAwaited?
    /// What begins a transaction, as long as nothing was asked in it.
    var beginning: PostgreSQLBeginning?
    /// The values of the statement that is being sent.
    var parameters = PostgreSQLParameters()
    /// How many cursors were opened, so that no two of one transaction have the same name.
    private var cursorCount = 0

    private struct PreparedKey: Hashable {
        let sql: String
        let kinds: [UInt32]
    }

    /// Connects.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of libpq, by their names; a value for `dbname` may be a whole connection string.
    ///   - place: Where the store is, for errors.
    ///   - alarm: What calls it off, where somebody may want that.
    /// - Throws: ``PersistenceError`` with the server's reason.
    init(_ parameters: [(name: String, value: String)], place: String, unless alarm: PostgreSQLAlarm? = nil) throws {
        self.place = place
        let names = parameters.map { strdup($0.name) } + [nil]
        let values = parameters.map { strdup($0.value) } + [nil]
        defer { for text in names + values { free(text) } }
        var constNames = names.map { UnsafePointer($0) }
        var constValues = values.map { UnsafePointer($0) }
        let connect = alarm == nil ? PQconnectdbParams : PQconnectStartParams
        guard let handle = connect(&constNames, &constValues, 1) else {
            throw PersistenceError(.database, "libpq is out of memory", path: place)
        }
        self.handle = handle
        if let alarm { Self.goOn(handle, unless: alarm) }
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

    /// What tells whether the server still gives transactions the same numbers: its timeline, which one that takes another's place begins anew, and since when
    /// it counts, which it forgets when it fails; `nil` where it does not tell.
    private(set) var numbering: String?

    /// Which server it is.
    var server = PostgreSQLServer.usual
    /// The tables of the store's model.
    var tables: [String] = []

    /// Prepares the connection for as long as it is the open store's.
    func beginUse(_ schema: String) throws {
        findNumbering()
        try holdOpen(schema)
        // As ``beginning(isReadOnly:)`` says it of others, for transactions that nothing begins.
        try execute("SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off")
    }

    /// Of several nodes' histories one says nothing.
    func findNumbering() {
        if server.isCitus { return }
        // A server that does not tell, or not to everybody, is no worse for anything but finding out about a lost commit.
        numbering = try? text(
            "SELECT timeline_id || ' ' || coalesce((SELECT stats_reset::text FROM pg_stat_bgwriter), '') FROM pg_control_checkpoint()"
        )
    }

    private(set) var isClosed = false

    /// Gives the connection back; never called while somebody uses it.
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
    /// Whether a transaction has begun on the server and not ended, be it one that failed.
    var isInTransaction: Bool { transactionStatus != PQTRANS_IDLE }
    /// Whether a transaction has begun, or is to, in which nothing has failed.
    var isTransactionGood: Bool { beginning != nil || transactionStatus == PQTRANS_INTRANS }
    /// Whether it was found out that the connection does not hold any more.
    var isLost: Bool { PQstatus(handle) != CONNECTION_OK }
    /// Whether the connection can be used by somebody else.
    var isUsable: Bool {
        !isClosed && PQstatus(handle) == CONNECTION_OK && transactionStatus == PQTRANS_IDLE
    }
    /// Whether the last failure was that of several who waited for each other this one had to give way.
    var isDeadlocked = false

    /// Whether the server has said that it ends the connection.
    private var isEnding = false

    /// Takes what the server says beside its results: why it ends a connection that is not in use.
    private func receive(_ notice: OpaquePointer?) {
        // The letter is libpq's PG_DIAG_SQLSTATE.
        let state = PQresultErrorField(notice, Int32(UnicodeScalar("C").value)).map { String(cString: $0) }
        if state?.hasPrefix("57P") ?? false { isEnding = true }
    }

    /// Whether the server has not ended the connection while nobody used it: it is not asked, only what it has sent is looked at.
    var isStillConnected: Bool {
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        if poll(&descriptor, 1, 0) == 0 { return !isEnding }
        // What it sent before it hung up is read first, and the end by the second call, if it came by then.
        for _ in 0..<2 where PQconsumeInput(handle) != 1 { return false }
        // Has libpq look into what it read.
        _ = PQisBusy(handle)
        return PQstatus(handle) == CONNECTION_OK && !isEnding
    }

    private static func message(_ handle: OpaquePointer) -> String {
        PQerrorMessage(handle).map { String(cString: $0) }?.trimmed ?? "no reason is known"
    }

    /// What libpq says where it has no result to say it in.
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

    /// Whether or not a transaction is still to be begun.
    private func executeAtOnce(_ sql: String) throws {
        let result = run {
            PQexec(handle, sql)
        } orSend: {
            PQsendQuery(handle, sql)
        }
        defer { PQclear(result) }
        try check(result, sql: sql)
    }

    /// Runs statements that take no values, in one message, and gives the rows of the last one; its values are texts.
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

    /// Runs a statement to its end and gives its rows; one that is kept is prepared once, and one that is run once is not.
    ///
    /// Where a transaction is still to be begun it is begun in the same message, unless the statement is to be prepared: that it cannot be may be told
    /// by what the beginning finds out.
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

    /// Runs a statement with the values that were taken.
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

    /// A COPY into columns of a table, for ``copy(_:_:)``.
    func copying(into table: String, columns: String) -> String {
        "COPY \(table) (\(columns)) FROM STDIN (FORMAT binary)"
    }

    /// Runs a COPY that takes the rows that `body` writes.
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
        // A reason makes the server take nothing.
        if PQputCopyEnd(handle, failure == nil ? nil : "the rows are not whole") != 1 {
            failure = failure ?? PersistenceError(.inputOutput, Self.message(handle), path: place)
        }
        while let ended = PQgetResult(handle) {
            do { try check(ended, sql: sql) } catch { failure = failure ?? error }
            PQclear(ended)
        }
        if let failure { throw failure }
    }

    /// Sends a piece of what a COPY takes, in parts that a length of 32 bits says.
    private func send(_ piece: UnsafeRawBufferPointer) throws {
        let size = 1 << 20
        for offset in stride(from: 0, to: piece.count, by: size) {
            let address = piece.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
            guard PQputCopyData(handle, address, Int32(min(size, piece.count - offset))) == 1 else {
                throw PersistenceError(.inputOutput, Self.message(handle), path: place)
            }
        }
    }

    /// Has the server run a statement without parameters while something else is done here.
    ///
    /// Whoever uses the connection meanwhile waits for the result and leaves it to whom it belongs.
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

    /// The rows of a statement that was sent.
    func result(of awaited: PostgreSQLAwaited) throws -> PostgreSQLResult {
        settle()
        guard let result = awaited.result else { throw unanswered }
        return try result.get()
    }

    /// Takes the result of what was sent: a connection does one thing at a time.
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

    /// Runs a statement and waits for its end, which comes early where somebody cancels it.
    private func run(_ execute: () -> OpaquePointer?, orSend send: () -> Int32) -> OpaquePointer? {
        guard let cancellation else { return execute() }
        guard send() == 1 else { return nil }
        var last: OpaquePointer?
        while true {
            cancellation.wait(handle)
            guard let result = PQgetResult(handle) else { return last }
            PQclear(last)
            last = result
            // The rows of a COPY come from the caller.
            if PQresultStatus(result) == PGRES_COPY_IN { return last }
        }
    }

    /// Runs `body`, whose statements end on the server too where somebody cancels them.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked several times a second while a statement runs.
    ///   - body: What runs statements.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or `CancellationError`; the transaction has to be taken back then.
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

    /// Forgets all prepared statements where there would be too many with so many more.
    func makeRoom(for count: Int) throws {
        guard prepared.count + count > Self.preparedStatements else { return }
        prepared = [:]
        try executeAtOnce("DEALLOCATE ALL")
    }

    /// The name of a prepared statement.
    func preparedName(of sql: String, _ kinds: [UInt32] = []) throws -> String {
        let key = PreparedKey(sql: sql, kinds: kinds)
        if let name = prepared[key] { return name }
        try makeRoom(for: 1)
        preparedCount += 1
        let name = "strata_\(preparedCount)"
        // That waits too, for a table that somebody else has.
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

    /// A name that no other cursor of the transaction has.
    func nextCursorName() -> String {
        cursorCount += 1
        return "strata_cursor_\(cursorCount)"
    }
}

/// A statement that was sent to the server, and what it gave once somebody has waited for it.
final class PostgreSQLAwaited {
    let sql: String
    fileprivate(set) var result: Result<PostgreSQLResult, any Error>?

    fileprivate init(_ sql: String) { self.sql = sql }
}

/// The rows that a statement gave.
final class PostgreSQLResult {
    let handle: OpaquePointer
    let rowCount: Int32

    init(_ handle: OpaquePointer) {
        self.handle = handle
        rowCount = PQntuples(handle)
    }

    deinit { PQclear(handle) }

    /// How many bytes it takes here.
    var byteCount: Int { PQresultMemorySize(handle) }

    func field(row: Int32, column: Int32) -> PostgreSQLField {
        guard PQgetisnull(handle, row, column) == 0 else { return PostgreSQLField(bytes: nil) }
        let count = Int(PQgetlength(handle, row, column))
        return PostgreSQLField(bytes: UnsafeRawBufferPointer(start: PQgetvalue(handle, row, column), count: count))
    }

    /// A field as a text, which is read before the result may go; `nil` where it is null.
    func text(row: Int32, column: Int32) -> String? {
        withExtendedLifetime(self) { field(row: row, column: column).text }
    }
}

extension String {
    /// Without line ends at its end, of which libpq's messages have one.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }
}
#endif
