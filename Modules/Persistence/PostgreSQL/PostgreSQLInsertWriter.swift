#if PostgreSQL
import StrataCore
import StrataSQL

/// Writes rows by statements that insert many at once: where the server takes no COPY.
struct PostgreSQLInsertWriter {
    /// The protocol counts the parameters of a statement in 16 bits (postgresql.org/docs/15/protocol-message-formats.html, "Bind").
    private static let mostParameters = 65_535
    /// More make a statement no cheaper, and its text long.
    private static let mostRows = 1_000

    private let beginning: String
    private let width: Int
    private let connection: PostgreSQLConnection
    private let rowsOfStatement: Int
    private var values: [StoredValue] = []
    /// The statement of so many rows as there mostly are.
    private lazy var whole = statement(rowsOfStatement)

    /// A writer of rows.
    ///
    /// - Parameters:
    ///   - table: The table, as a statement names it.
    ///   - columns: The columns, as a statement names them.
    ///   - width: How many columns there are; a table has 1,600 at most.
    ///   - connection: A connection in a transaction.
    init(into table: String, columns: String, width: Int, on connection: PostgreSQLConnection) {
        beginning = "INSERT INTO \(table) (\(columns)) VALUES "
        (self.width, self.connection) = (width, connection)
        rowsOfStatement = max(1, min(Self.mostRows, Self.mostParameters / width))
    }

    private func statement(_ rowCount: Int) -> String {
        let rows = (0..<rowCount).map { row in
            "(" + (1...width).map { "$\(row * width + $0)" }.joined(separator: ", ") + ")"
        }
        return beginning + rows.joined(separator: ", ")
    }

    /// Writes a row, or keeps it for the next statement.
    mutating func append(_ row: [StoredValue]) throws {
        values += row
        if values.count == rowsOfStatement * width { try flush(whole) }
    }

    /// Writes the rows that are left.
    mutating func end() throws {
        guard !values.isEmpty else { return }
        try flush(statement(values.count / width))
    }

    /// Each null has the type that the column has, which makes almost every statement another one: none is worth being kept.
    private mutating func flush(_ sql: String) throws {
        _ = try connection.query(sql, values, isKept: false)
        values.removeAll(keepingCapacity: true)
    }
}
#endif
