#if PostgreSQL
import StrataCore
import StrataSQL

/// Reading inside a transaction, by cursors of the server: a part of the rows is here at a time.
extension PostgreSQLConnection {
    /// So many rows come at once.
    static let blockSize = 500

    /// Gives the rows a request selects to `body`.
    func fetch(_ request: ResolvedRequest, in layout: SQLLayout, _ body: (RowReader) throws -> FetchFlow) throws {
        let rows = try PostgreSQLRows(request, layout, on: self)
        defer { rows.end() }
        _ = try rows.read(body)
    }

    /// The number of rows a request selects.
    func count(_ request: ResolvedRequest, in layout: SQLLayout) throws -> Int {
        var writer = SQLWriter(request.entity, layout)
        let sql = writer.count(request)
        let result = try query(sql, writer.values)
        return withExtendedLifetime(result) { Int(result.field(row: 0, column: 0).integer ?? 0) }
    }

    /// Gives the pairs of a request to `body`.
    func joins(
        _ request: ResolvedJoinRequest, in layout: SQLLayout, _ body: (JoinRow) throws -> FetchFlow
    ) throws {
        let (sql, values) = layout.selection(request)
        let name = try declare(sql, values)
        defer { closeCursor(name) }
        while true {
            let (block, isLast) = try fetchBlock(name)
            for row in 0..<block.rowCount {
                func integer(_ column: Int32) -> Int64? { block.field(row: row, column: column).integer }
                guard let source = integer(0), let target = integer(1), identifierRange.contains(source),
                    identifierRange.contains(target)
                else {
                    throw PersistenceError(
                        .corrupt,
                        "a pair of \(request.join.name) holds what is no identifier; another program changed it",
                        entity: request.join.sourceEntity, attribute: request.join.sourceRelationship)
                }
                let pair = JoinRow(
                    JoinPair(source: source, target: target), sourcePosition: integer(2), targetPosition: integer(3))
                if case .stop = try body(pair) { return }
            }
            if isLast { return }
        }
    }

    /// Opens a cursor of the server.
    func declare(_ sql: String, _ values: [StoredValue]) throws -> String {
        let name = nextCursorName()
        _ = try query("DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", values, isKept: false)
        return name
    }

    /// Ends a cursor; one of a transaction that has failed is gone already.
    func closeCursor(_ name: String) {
        guard isTransactionGood else { return }
        // The end of the transaction closes what this could not.
        try? execute("CLOSE \(name)")
    }

    /// The next rows of a cursor, and whether they are the last.
    func fetchBlock(_ name: String) throws -> (rows: PostgreSQLResult, isLast: Bool) {
        let block = try query("FETCH \(Self.blockSize) FROM \(name)", [], isKept: false)
        return (block, block.rowCount < Self.blockSize)
    }
}

/// The rows that a request selects, from a cursor of the server.
final class PostgreSQLRows {
    private let connection: PostgreSQLConnection
    private let name: String
    private let source: PostgreSQLRowSource
    private let reader: RowReader
    private var block: PostgreSQLResult?
    private var row: Int32 = 0
    private var isLast = false

    init(_ request: ResolvedRequest, _ layout: SQLLayout, on connection: PostgreSQLConnection) throws {
        self.connection = connection
        var writer = SQLWriter(request.entity, layout)
        let sql = writer.selection(request)
        name = try connection.declare(sql, writer.values)
        source = PostgreSQLRowSource(request.entity)
        reader = RowReader(source)
    }

    /// Gives rows to `body` until it says stop, from where the last reading ended; false at the end.
    func read(_ body: (RowReader) throws -> FetchFlow) throws -> Bool {
        while true {
            if let block, row < block.rowCount {
                try source.stand(on: row, of: block)
                row += 1
                if case .stop = try body(reader) { return true }
            } else {
                if isLast { return false }
                (block, isLast) = try connection.fetchBlock(name)
                row = 0
            }
        }
    }

    func end() {
        source.forget()
        block = nil
        connection.closeCursor(name)
    }
}
#endif
