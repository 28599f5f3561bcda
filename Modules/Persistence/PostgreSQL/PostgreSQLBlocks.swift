#if PostgreSQL
import StrataCore

/// The rows of a statement, which a cursor of the server returns block by block.
///
/// Only some of the rows are in memory at a time. From the third block on, the server prepares the next block while the
/// caller reads the current one.
final class PostgreSQLBlocks {
    /// The count of rows in the first block.
    static let firstSize = 500
    /// The approximate maximum size of later blocks, in bytes.
    ///
    /// Blocks grow up to this size, so that a reader of many rows and the server seldom wait for each other.
    private static let largestByteCount = 1 << 20

    private let connection: PostgreSQLConnection
    /// The name of the cursor; `nil` if the first query returned all rows.
    private let cursor: String?
    private let mayReadAhead: Bool
    private var first: PostgreSQLResult?
    private var size = PostgreSQLBlocks.firstSize
    private var blockCount = 0
    private var next: PostgreSQLAwaited?
    private var isAtEnd = false

    /// Creates the blocks of a statement and opens its cursor, if it needs one.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - values: The values of its parameters.
    ///   - connection: A connection in a transaction; the caller may run other statements on it between two blocks.
    ///   - mostRows: The maximum count of rows that the statement returns, or `nil` if it is not known.
    ///   - mayFail: A Boolean value that indicates whether the evaluation of a row can fail. If `true`, the server does
    ///     not read ahead, so that rows after the last requested one cannot cause an error.
    /// - Throws: ``PersistenceError``.
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

    /// Returns the next rows, at least one, or `nil` at the end.
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

    /// Ends the reading and closes the cursor; a failed transaction has closed it already.
    func end() {
        (first, next, isAtEnd) = (nil, nil, true)
        guard let cursor, connection.isTransactionGood else { return }
        // If the statement fails, the end of the transaction closes the cursor.
        try? connection.execute("CLOSE \(cursor)")
    }
}
#endif
