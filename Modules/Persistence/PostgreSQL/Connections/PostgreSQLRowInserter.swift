#if PostgreSQL
import StrataCore
import StrataSQL
import StrataStoreKit

/// An inserter that writes many rows of one entity by one COPY statement.
///
/// In PostgreSQL, an error ends the whole transaction. Therefore a group of rows is written inside a savepoint. A
/// single row is written with `ON CONFLICT DO NOTHING`: if another row has one of its unique values, the server skips
/// the row, and the inserter then queries which value it is.
final class PostgreSQLRowInserter: SQLRowInserter {
    let rows: SQLInsertedRows
    /// The count of rows for each COPY and its savepoint, which together take the server as long as two hundred rows.
    let groupSize = 16_384
    var rowsAtOnce: Int { groupSize }
    let takesFewer = true
    private let layout: SQLLayout
    private let connection: PostgreSQLConnection
    private let forms: [Form]
    private var isOver = false
    private let insertion: String
    /// The COPY statement.
    private let copying: String

    /// The form in which COPY requires the fields of a column.
    private enum Form {
        case boolean
        /// The bytes of a UUID; the cell of the block contains its text.
        case uuid
        /// The form that the cell of the block already has.
        case cell

        init(_ type: AttributeType) {
            self =
                switch type {
                case .boolean: .boolean
                case .uuid: .uuid
                default: .cell
                }
        }
    }

    init(_ rows: SQLInsertedRows, in layout: SQLLayout, on connection: PostgreSQLConnection) {
        (self.rows, self.layout, self.connection) = (rows, layout, connection)
        let entity = rows.entity
        forms = entity.columns.map { Form($0.type) }
        insertion = layout.insertion(entity) + " ON CONFLICT DO NOTHING"
        copying = connection.copying(into: layout.table(entity.name), columns: layout.rowColumns(entity))
    }

    func insert(_ block: inout RowBlock) throws {
        guard !isOver else { throw PersistenceError.transactionIsOver }
        try rows.insert(&block, by: self)
    }

    func insert(_ block: RowBlock, rows: Range<Int>, ids: [Int64]) throws -> Bool {
        do {
            try connection.attempt { try copy(copying, block, rows: rows, ids: ids) }
            return true
        } catch let error as PersistenceError where error.code == .uniqueness {
            return false
        }
    }

    private func copy(_ sql: String, _ block: RowBlock, rows: Range<Int>, ids: [Int64]) throws {
        let version = self.rows.version
        try connection.copy(sql) { writer in
            try block.bytes.withUnsafeBytes { bytes in
                for row in rows {
                    try writer.beginRow(fieldCount: forms.count + 2)
                    writer.append(ids[row])
                    writer.append(version)
                    for column in forms.indices { append(block, bytes, row: row, column: column, to: &writer) }
                }
            }
        }
    }

    @inline(__always)
    private func append(
        _ block: RowBlock, _ bytes: UnsafeRawBufferPointer, row: Int, column: Int,
        to writer: inout PostgreSQLCopyWriter
    ) {
        let cell = block.cells[row * block.columnCount + column]
        switch (forms[column], cell.kind) {
        case (_, .null): writer.appendNull()
        case (_, .absent), (.uuid, _):
            writer.append(block.value(row: row, column: column) ?? rows.defaults.value(column))
        case (.boolean, .integer): writer.append(cell.bits != 0)
        case (_, .integer), (_, .real): writer.append(cell.bits)
        case (_, .text), (_, .blob): writer.append(UnsafeRawBufferPointer(rebasing: bytes[cell.range]))
        }
    }

    func insert(_ block: RowBlock, row: Int, id: Int64) throws(PersistenceError) {
        do {
            try connection.run(insertion, values(block, row: row, id: id))
            if connection.changes == 0 { throw try taken(rows.row(block, row: row, id: id)) }
        } catch let error as PersistenceError {
            throw error
        } catch {
            throw PersistenceError(.database, "\(error)", entity: entity.name)
        }
    }

    private func values(_ block: RowBlock, row: Int, id: Int64) -> [StoredValue] {
        [.integer(id), .integer(rows.version)]
            + forms.indices.map { block.value(row: row, column: $0) ?? rows.defaults.value($0) }
    }

    /// Returns the error for a row that the server skipped, with the attributes whose values another row has.
    private func taken(_ row: StoredRow) throws -> PersistenceError {
        var error = PersistenceError(.uniqueness, PersistenceError.taken([]), entity: entity.name)
        if try connection.number(layout.identifier(byColumns: [], entity), .integer(row.id)) != nil {
            error.attribute = TableDescription.ColumnName.id
            error.message = PersistenceError.taken([TableDescription.ColumnName.id])
            return error.namingRow(row, entity)
        }
        for key in entity.uniqueKeys {
            guard let value = key.value(of: row.values) else { continue }
            let sql = layout.identifier(byColumns: key.columns, entity)
            guard try connection.query(sql, value.parts).rowCount > 0 else { continue }
            error.attribute = key.name(in: entity)
            error.message = PersistenceError.taken(key.columns.map { entity.columns[$0].name })
            return error.namingRow(row, entity)
        }
        return error
    }

    func end() {
        isOver = true
        rows.end()
    }
}
#endif
