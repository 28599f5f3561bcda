#if PostgreSQL
import StrataCore
import StrataSQL
import StrataStoreKit

/// The methods that read rows inside an open transaction.
extension PostgreSQLConnection {
    /// Passes the rows that a request selects to `body`.
    func fetch(_ request: ResolvedRequest, in layout: SQLLayout, _ body: (RowReader) throws -> FetchFlow) throws {
        let rows = try PostgreSQLRows(request, layout, on: self)
        defer { rows.end() }
        _ = try rows.read(body)
    }

    /// Returns the count of rows that a request selects.
    func count(_ request: ResolvedRequest, in layout: SQLLayout) throws -> Int {
        var writer = SQLWriter(request.entity, layout)
        let sql = writer.count(request)
        let result = try query(sql, writer.values)
        return withExtendedLifetime(result) { Int(result.field(row: 0, column: 0).integer ?? 0) }
    }

    /// Passes the values of each row or group that a selection selects to `body`.
    func select(
        _ selection: ResolvedSelection, in layout: SQLLayout, _ body: ([StoredValue]) throws -> FetchFlow
    ) throws {
        var writer = SQLWriter(selection.rows.entity, layout)
        let blocks = try PostgreSQLBlocks(
            writer.selection(selection), writer.values, on: self,
            mostRows: selection.grouping == nil ? selection.rows.mostRows : nil, mayFail: selection.mayFail)
        defer { blocks.end() }
        while let block = try blocks.take() {
            if case .stop = try Self.read(block, of: selection, body) { return }
        }
    }

    /// Passes the values of each result row of a selection to `body`.
    @discardableResult
    static func read(
        _ rows: PostgreSQLResult, of selection: ResolvedSelection, _ body: ([StoredValue]) throws -> FetchFlow
    ) throws -> FetchFlow {
        let types = selection.columnTypes
        for row in 0..<rows.rowCount {
            let values = try types.enumerated().map { index, type in
                guard let value = rows.field(row: row, column: Int32(index)).value(of: type) else {
                    throw PersistenceError(
                        .corrupt, "a selected value is not a \(type); another program changed the store",
                        entity: selection.rows.entity.name)
                }
                return value
            }
            if case .stop = try body(values) { return .stop }
        }
        return .next
    }

    /// Passes the join rows that a request selects to `body`.
    func joins(
        _ request: ResolvedJoinRequest, in layout: SQLLayout, _ body: (JoinRow) throws -> FetchFlow
    ) throws {
        let (sql, values) = layout.selection(request)
        let blocks = try PostgreSQLBlocks(sql, values, on: self)
        defer { blocks.end() }
        while let block = try blocks.take() {
            for row in 0..<block.rowCount {
                func integer(_ column: Int32) -> Int64? { block.field(row: row, column: column).integer }
                guard let source = integer(0), let target = integer(1), identifierRange.contains(source),
                    identifierRange.contains(target)
                else {
                    throw PersistenceError(
                        .corrupt,
                        "a join row of \(request.join.name) contains a value that is not an identifier; another "
                            + "program changed it",
                        entity: request.join.sourceEntity, attribute: request.join.sourceRelationship)
                }
                let pair = JoinRow(
                    JoinPair(source: source, target: target), sourcePosition: integer(2), targetPosition: integer(3))
                if case .stop = try body(pair) { return }
            }
        }
    }
}

/// The rows that a request selects.
final class PostgreSQLRows: LeasedRows {
    private let blocks: PostgreSQLBlocks
    private let source: PostgreSQLRowSource
    private let reader: RowReader
    private var block: PostgreSQLResult?
    private var row: Int32 = 0

    init(_ request: ResolvedRequest, _ layout: SQLLayout, on connection: PostgreSQLConnection) throws {
        var writer = SQLWriter(request.entity, layout)
        let sql = writer.selection(request)
        blocks = try PostgreSQLBlocks(
            sql, writer.values, on: connection, mostRows: request.mostRows, mayFail: request.mayFail)
        source = PostgreSQLRowSource(request.entity)
        reader = RowReader(source)
    }

    /// Passes the next rows to `body` until `body` returns `.stop`; the first row follows the last row of the previous
    /// call.
    ///
    /// - Returns: False if all rows were passed.
    func read(_ body: (RowReader) throws -> FetchFlow) throws -> Bool {
        while true {
            if let block, row < block.rowCount {
                try source.move(to: row, of: block)
                row += 1
                if case .stop = try body(reader) { return true }
            } else {
                source.forget()
                block = try blocks.take()
                guard block != nil else { return false }
                row = 0
            }
        }
    }

    /// Closes the server-side cursor, unless the transaction is ended together with the lease.
    func end(_ reason: LeasedRowsEnd = .finished) {
        source.forget()
        block = nil
        if case .finished = reason { blocks.end() }
    }
}

extension ResolvedRequest {
    /// The maximum count of rows that the request selects, or `nil` if the request alone does not determine it.
    var mostRows: Int? {
        let found = condition.flatMap(\.mostRows)
        guard let limit else { return found }
        return min(limit, found ?? limit)
    }

    /// A Boolean value that indicates whether the evaluation of the condition or the order can fail for a row.
    var mayFail: Bool { condition?.mayFail ?? false || sort.contains { $0.operand.mayFail } }
}

extension ResolvedCondition {
    /// The maximum count of rows for which the condition is true, or `nil` if the condition does not list identifiers.
    fileprivate var mostRows: Int? {
        switch form {
        case .constant(false): return 0
        case .compare(let left, .equal, let right):
            return left.isIdentifier && right.constant != nil || right.isIdentifier && left.constant != nil ? 1 : nil
        case .isIn(let operand, let values): return operand.isIdentifier ? values.count : nil
        case .all(let conditions): return conditions.compactMap(\.mostRows).min()
        default: return nil
        }
    }
}

extension ResolvedOperand {
    fileprivate var isIdentifier: Bool {
        if case .identifier = form { true } else { false }
    }
}
#endif
