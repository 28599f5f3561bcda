#if PostgreSQL
import StrataCore
import StrataSQL

/// Writes the rows of one entity, many by one statement.
///
/// What fails ends a transaction, so nothing does: a row whose values are taken is left out by the server, and then asked about.
final class PostgreSQLRowInserter: SQLRowInserter {
    /// A statement has no more parameters than this; the protocol's own limit is 65,535.
    private static let maximumParameters = 8_000
    private static let maximumGroup = 500

    let rows: SQLInsertedRows
    let groupSize: Int
    private let layout: SQLLayout
    private let connection: PostgreSQLConnection
    private var isOver = false
    private let insertion: String
    private let groupInsertion: String
    private let taking: String

    init(_ rows: SQLInsertedRows, in layout: SQLLayout, on connection: PostgreSQLConnection) {
        (self.rows, self.layout, self.connection) = (rows, layout, connection)
        let entity = rows.entity
        groupSize = max(1, min(Self.maximumGroup, Self.maximumParameters / (entity.columns.count + 2)))
        let ending = " ON CONFLICT DO NOTHING"
        insertion = layout.insertion(entity) + ending
        groupInsertion = layout.insertion(entity, rows: groupSize) + ending + " RETURNING \(layout.idColumn)"
        taking =
            "DELETE FROM \(layout.table(entity.name)) WHERE "
            + layout.dialect.isMember(layout.idColumn, ofList: layout.parameter(1))
    }

    func insert(_ block: inout RowBlock) throws {
        guard !isOver else { throw PersistenceError.transactionIsOver }
        try rows.insert(&block, by: self)
    }

    func insert(_ block: RowBlock, rows: Range<Int>, ids: [Int64]) throws -> Bool {
        var values: [StoredValue] = []
        values.reserveCapacity(rows.count * (entity.columns.count + 2))
        for row in rows { append(block, row: row, id: ids[row], to: &values) }
        let result = try connection.query(groupInsertion, values)
        guard result.rowCount < rows.count else { return true }
        // Which of them were left out, nobody says where two have the same identifier; those that were not go out again.
        let inserted = (0..<result.rowCount).compactMap { result.field(row: $0, column: 0).integer }
        try connection.run(taking, layout.dialect.list(inserted))
        return false
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
        var error = PersistenceError(.uniqueness, "the values are taken", entity: entity.name)
        if try connection.number(layout.identifier(byColumns: [], entity), .integer(row.id)) != nil {
            error.attribute = TableDescription.ColumnName.id
            return error.namingRow(row, entity)
        }
        for key in entity.uniqueKeys {
            guard let value = key.value(of: row.values) else { continue }
            let sql = layout.identifier(byColumns: key.columns, entity)
            guard try connection.query(sql, value.parts).rowCount > 0 else { continue }
            error.attribute = key.name(in: entity)
            error.message = "another object \(key.claim)"
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
