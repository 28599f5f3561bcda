#if PostgreSQL
import StrataCore
import StrataSQL
import StrataStoreKit

extension PostgreSQLConnection: SQLConnection {
    func statement(_ sql: String) throws -> PostgreSQLStatement { PostgreSQLStatement(sql, on: self) }

    func storedRow(_ id: Int64, of entity: EntityDescription, by sql: String) throws -> StoredRow? {
        let result = try query(sql, [.integer(id)])
        guard result.rowCount > 0 else { return nil }
        let source = PostgreSQLRowSource(entity)
        try source.move(to: 0, of: result)
        return StoredRow(
            id: source.id, version: source.version, values: try entity.columns.indices.map { try source.value(at: $0) })
    }

    func text(_ sql: String, _ values: StoredValue...) throws -> String? {
        let result = try query(sql, values)
        return result.rowCount > 0 ? result.text(row: 0, column: 0) : nil
    }

    /// Returns the first column of all result rows of a statement as texts, with an empty text for null.
    func texts(_ sql: String, _ values: StoredValue...) throws -> [String] {
        let result = try query(sql, values)
        return (0..<result.rowCount).map { result.text(row: $0, column: 0) ?? "" }
    }
}

extension PostgreSQLConnection {
    /// Returns the user metadata of the store, by its keys.
    func userTexts(_ layout: SQLLayout) throws -> [String: String] {
        let prefix = SQLLayout.userKeyPrefix
        let entries = try texts(layout.metadataKeys).filter { $0.hasPrefix(prefix) }.map { key in
            (String(key.dropFirst(prefix.count)), try texts(layout.metadataSelection, .string(key)).first ?? "")
        }
        return Dictionary(entries) { first, _ in first }
    }
}

extension PostgreSQLConnection: SQLBulkConnection {
    func prepare(_ sql: String) -> PostgreSQLStatement { PostgreSQLStatement(sql, on: self) }

    func rowInserter(_ rows: SQLInsertedRows, in layout: SQLLayout) -> any SQLRowInserter {
        PostgreSQLRowInserter(rows, in: layout, on: self)
    }

    /// Runs `body` inside a savepoint, because otherwise an error would end the whole transaction.
    func attempt<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("SAVEPOINT strata_attempt")
        do {
            let result = try body()
            try execute("RELEASE strata_attempt")
            return result
        } catch {
            // If the rollback fails, the connection and its transaction are lost; the first error contains the reason.
            try? execute("ROLLBACK TO strata_attempt; RELEASE strata_attempt")
            throw error
        }
    }

    func forEachInteger(_ sql: String, _ body: (Int64) throws -> Bool) throws {
        let cursor = nextCursorName()
        try execute("DECLARE \(cursor) NO SCROLL CURSOR FOR \(sql)")
        reading: while true {
            let result = try query("FETCH FORWARD 8192 FROM \(cursor)", [], isKept: false)
            if result.rowCount == 0 { break }
            for row in 0..<result.rowCount where try !body(result.field(row: row, column: 0).integer ?? 0) {
                break reading
            }
        }
        try execute("CLOSE \(cursor)")
    }

    func buildingIndexes(rows: Int, _ body: () throws -> Void) throws { try body() }
}

/// A statement with parameter values; its first step runs the statement and fetches all result rows.
final class PostgreSQLStatement: SQLStatement {
    private let sql: String
    private unowned let connection: PostgreSQLConnection
    private var values: [StoredValue] = []
    private var result: PostgreSQLResult?
    private var row: Int32 = -1

    init(_ sql: String, on connection: PostgreSQLConnection) {
        (self.sql, self.connection) = (sql, connection)
    }

    /// Makes the statement's current row a row of a result that another query returned.
    func move(to row: Int32, of result: PostgreSQLResult) { (self.row, self.result) = (row, result) }

    func bind(_ value: StoredValue, at index: Int32) throws {
        while values.count < Int(index) { values.append(.null) }
        values[Int(index) - 1] = value
    }

    func bind(_ number: Int64, at index: Int32) throws { try bind(.integer(number), at: index) }

    func bind(_ block: RowBlock, row: Int, column: Int, at index: Int32) throws {
        try bind(block.value(row: row, column: column) ?? .null, at: index)
    }

    func step() throws -> Bool {
        let result: PostgreSQLResult
        if let known = self.result { result = known } else { result = try connection.query(sql, values) }
        self.result = result
        row += 1
        return row < result.rowCount
    }

    /// Returns the field in a column of the current row.
    func field(at column: Int32) -> PostgreSQLField {
        result?.field(row: row, column: column) ?? PostgreSQLField(bytes: nil)
    }

    func integer(at column: Int32) -> Int64 { result?.field(row: row, column: column).integer ?? 0 }

    func value(at column: Int32, as type: AttributeType) -> StoredValue? {
        result?.field(row: row, column: column).value(of: type)
    }

    func rewind() { (result, row) = (nil, -1) }

    func reset() {
        rewind()
        values = []
    }
}
#endif
