#if PostgreSQL
import StrataCore
import StrataSQL

/// Writes the rows of one entity, many at once by COPY.
///
/// What fails ends a transaction: COPY stands behind a savepoint, and a single row whose values are taken is left out by the server, and then asked about.
final class PostgreSQLRowInserter: SQLRowInserter {
    let rows: SQLInsertedRows
    /// A savepoint for so many; where one row is refused, as many go one by one.
    let groupSize = 2_000
    let takesFewer = true
    private let layout: SQLLayout
    private let connection: PostgreSQLConnection
    private let columnTypes: [AttributeType]
    private var isOver = false
    private let insertion: String
    private let copying: String

    init(_ rows: SQLInsertedRows, in layout: SQLLayout, on connection: PostgreSQLConnection) {
        (self.rows, self.layout, self.connection) = (rows, layout, connection)
        let entity = rows.entity
        columnTypes = entity.columns.map(\.type)
        insertion = layout.insertion(entity) + " ON CONFLICT DO NOTHING"
        copying = "COPY \(layout.table(entity.name)) (\(layout.rowColumns(entity))) FROM STDIN (FORMAT binary)"
    }

    func insert(_ block: inout RowBlock) throws {
        guard !isOver else { throw PersistenceError.transactionIsOver }
        try rows.insert(&block, by: self)
    }

    func insert(_ block: RowBlock, rows: Range<Int>, ids: [Int64]) throws -> Bool {
        var data = PostgreSQLCopyData()
        for row in rows {
            data.beginRow(fieldCount: columnTypes.count + 2)
            data.append(ids[row])
            data.append(self.rows.version)
            for column in columnTypes.indices { append(block, row: row, column: column, to: &data) }
        }
        data.end()
        do {
            try connection.attempt { try connection.copy(copying, data.bytes) }
            return true
        } catch let error as PersistenceError where error.code == .uniqueness {
            return false
        }
    }

    private func append(_ block: RowBlock, row: Int, column: Int, to data: inout PostgreSQLCopyData) {
        let cell = block.cells[row * block.columnCount + column]
        switch (columnTypes[column], cell.kind) {
        case (_, .null): data.appendNull()
        case (_, .absent), (.uuid, _): data.append(block.value(row: row, column: column) ?? rows.defaults.value(column))
        case (.boolean, .integer): data.append(cell.bits != 0)
        case (_, .integer), (_, .real): data.append(cell.bits)
        case (_, .text), (_, .blob): data.append(block.bytes[cell.range])
        }
    }

    func insert(_ block: RowBlock, row: Int, id: Int64) throws(PersistenceError) {
        do {
            var values: [StoredValue] = []
            append(block, row: row, id: id, to: &values)
            try connection.run(insertion, values)
            if connection.changes == 0 { throw try taken(rows.row(block, row: row, id: id)) }
        } catch let error as PersistenceError {
            throw error
        } catch {
            throw PersistenceError(.database, "\(error)", entity: entity.name)
        }
    }

    private func append(_ block: RowBlock, row: Int, id: Int64, to values: inout [StoredValue]) {
        values.append(.integer(id))
        values.append(.integer(rows.version))
        for column in 0..<entity.columns.count {
            values.append(block.value(row: row, column: column) ?? rows.defaults.value(column))
        }
    }

    /// The error of a row that was left out: what it has that is another's.
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
