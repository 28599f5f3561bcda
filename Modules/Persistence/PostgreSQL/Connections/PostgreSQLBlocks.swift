#if PostgreSQL
import StrataCore

/// The result rows of a statement, which are fetched from a server-side cursor in blocks.
///
/// Only a few blocks are in memory at a time. From the third block on, the server prepares the next block while the
/// caller reads the current one.
final class PostgreSQLBlocks {
    /// The count of rows in the first block.
    static let firstSize = 500
    /// The approximate maximum size of later blocks, in bytes.
    ///
    /// The size of the blocks grows up to this value, so that a reader of many rows seldom waits for the server.
    private static let largestByteCount = 1 << 20

    private let connection: PostgreSQLConnection
    /// The name of the server-side cursor; `nil` if the first query has returned all rows.
    private let cursor: String?
    private let mayReadAhead: Bool
    private var first: PostgreSQLResult?
    private var size = PostgreSQLBlocks.firstSize
    private var blockCount = 0
    private var next: PostgreSQLAwaited?
    private var isAtEnd = false

    /// Runs a statement and opens a server-side cursor for its rows, if one is necessary.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - values: The values of the statement's parameters.
    ///   - connection: A connection in a transaction; the caller may run other statements on it between two blocks.
    ///   - mostRows: The maximum count of result rows, or `nil` if it is not known.
    ///   - mayFail: A Boolean value that indicates whether the evaluation of a result row can fail. If `true`, the
    ///     server does not prepare blocks ahead, so that a row that the caller does not request cannot cause an error.
    /// - Throws: ``PersistenceError`` if the statement fails or the connection is lost.
    init(
        _ sql: String, _ values: [StoredValue], on connection: PostgreSQLConnection, mostRows: Int? = nil,
        mayFail: Bool = false
    ) throws {
        self.connection = connection
        mayReadAhead = !mayFail
        if let mostRows, mostRows <= Self.firstSize, !mayFail {
            cursor = nil
            first = try connection.query(sql, values)
            return
        }
        let cursor = connection.nextCursorName()
        _ = try connection.query("DECLARE \(cursor) NO SCROLL CURSOR FOR \(sql)", values, isKept: false)
        self.cursor = cursor
    }

    /// Returns the next block of rows, which contains at least one row, or `nil` if no rows are left.
    func take() throws -> PostgreSQLResult? {
        guard let cursor else {
            defer { first = nil }
            return first?.rowCount ?? 0 > 0 ? first : nil
        }
        if isAtEnd { return nil }
        let block = try next.map(connection.result) ?? connection.query(fetching(cursor), [], isKept: false)
        next = nil
        blockCount += 1
        isAtEnd = block.rowCount < size
        if isAtEnd { return block.rowCount > 0 ? block : nil }
        let bytesOfRow = max(1, block.byteCount / max(1, Int(block.rowCount)))
        size = min(4 * size, max(1, Self.largestByteCount / bytesOfRow))
        if mayReadAhead, blockCount > 1 { next = try connection.send(fetching(cursor)) }
        return block
    }

    private func fetching(_ cursor: String) -> String { "FETCH \(size) FROM \(cursor)" }

    /// Ends the reading and closes the server-side cursor, unless a failure of the transaction has closed it.
    func end() {
        (first, next, isAtEnd) = (nil, nil, true)
        guard let cursor, connection.isTransactionGood else { return }
        // If the statement fails, the end of the transaction closes the cursor.
        try? connection.execute("CLOSE \(cursor)")
    }
}
#endif
