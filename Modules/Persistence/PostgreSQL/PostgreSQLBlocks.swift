#if PostgreSQL
import StrataCore

/// The rows of a statement, of which a part is here at a time: a cursor of the server gives them block by block.
///
/// From the third block on the server makes the next one while this one is read.
final class PostgreSQLBlocks {
    /// The rows of the first block.
    static let firstSize = 500
    /// Later blocks have more, up to about so many bytes, so that who reads many rows seldom waits for the server and it for him.
    private static let largestByteCount = 1 << 20

    private let connection: PostgreSQLConnection
    /// `nil` where all rows came at once.
    private let cursor: String?
    private let mayReadAhead: Bool
    private var first: PostgreSQLResult?
    private var size = PostgreSQLBlocks.firstSize
    private var blockCount = 0
    private var next: PostgreSQLAwaited?
    private var isAtEnd = false

    /// Begins with a statement.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - values: The values of its parameters.
    ///   - connection: A connection in a transaction, which has other things to do too.
    ///   - mostRows: The most rows that it gives, where that is known.
    ///   - mayFail: Whether a row can be an error: those behind the last that is asked for must be none then.
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

    /// The next rows, of which there is at least one; `nil` at the end.
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

    /// Ends the reading; the cursor of a transaction that has failed is gone already.
    func end() {
        (first, next, isAtEnd) = (nil, nil, true)
        guard let cursor, connection.isTransactionGood else { return }
        // The end of the transaction closes what this could not.
        try? connection.execute("CLOSE \(cursor)")
    }
}
#endif
