#if PostgreSQL
import StrataCore
import StrataSQL

/// The PostgreSQL-specific part of a migration.
///
/// The migration writes rows in parts, so that it can report its progress and be canceled. Swift code converts values,
/// as in every other kind of store. One transaction contains all changes of tables, columns, constraints and rows.
final class PostgreSQLMigrationEngine: SQLMigrationEngine {
    let connection: PostgreSQLConnection
    private let schema: PostgreSQLSchema
    private let options: MigrationOptions

    init(_ connection: PostgreSQLConnection, schema: String, _ options: MigrationOptions) {
        (self.connection, self.options) = (connection, options)
        self.schema = PostgreSQLSchema(schema, connection)
    }

    func begin(_ counter: SQLMigrationCounter) throws {
        guard options.backup == nil else {
            throw PersistenceError(
                .invalidRequest,
                "a store on a server cannot be copied to a file before a migration; copy the store first with pg_dump "
                    + "or strata copy",
                path: connection.place)
        }
    }

    func prepare(_ tables: [String], isFirst: Bool) throws {}

    func run(_ statement: SQLMigration.Statement, _ counter: SQLMigrationCounter) throws {
        switch statement {
        case .sql(let sql, let values): _ = try connection.query(sql, values, isKept: false)
        case .addColumn(let table, let definition):
            try connection.execute("ALTER TABLE \(SQLLayout.quoted(table)) ADD COLUMN \(definition)")
        case .fill(let filling): try fill(filling, counter)
        case .convert(let rows): try convert(rows, counter)
        // A foreign key references a table regardless of the table's name. If the name is to denote another table, the
        // references are dropped here and added again at the end.
        case .keepsReferences(let keeps): if keeps { try schema.dropReferences() }
        case .setAside, .transform, .finish:
            throw PersistenceError(.invalidRequest, "no statement of a migration", path: connection.place)
        }
    }

    /// The maximum count of rows that one statement writes.
    private static let partSize = SQLMigrationCounter.stride

    private func fill(_ filling: SQLMigration.Filling, _ counter: SQLMigrationCounter) throws {
        var low = Int64.min
        while true {
            let end = try connection.query(filling.endOfPart, [.integer(low), .integer(Int64(Self.partSize))])
            guard let high = end.field(row: 0, column: 0).integer else { return }
            _ = try connection.query(filling.sqlOfPart, filling.values + [.integer(low), .integer(high)])
            guard counter.add(connection.changes) else { throw CancellationError() }
            low = high
        }
    }

    private func convert(_ rows: SQLMigration.Converting, _ counter: SQLMigrationCounter) throws {
        let (table, columns) = (rows.insertion.table, rows.insertion.columns)
        let copying = connection.copying(into: table, columns: columns)
        let width = rows.columns.count + 2
        let blocks = try PostgreSQLBlocks(rows.selection, rows.values, on: connection)
        defer { blocks.end() }
        while let block = try blocks.take() {
            try connection.copy(copying) { data in
                for row in 0..<block.rowCount {
                    try data.beginRow(fieldCount: width)
                    for value in try later(row, of: block, rows) { data.append(value) }
                    guard counter.add() else { throw CancellationError() }
                }
            }
        }
    }

    /// Returns the identifier, the version and the converted values for the new row of an old row.
    private func later(
        _ row: Int32, of block: PostgreSQLResult, _ rows: SQLMigration.Converting
    ) throws -> [StoredValue] {
        let system = (Int32(0)..<2).map { StoredValue.integer(block.field(row: row, column: $0).integer ?? 0) }
        return try system
            + rows.columns.indices.map { index in
                let field = block.field(row: row, column: Int32(index) + 2)
                guard let value = field.value(of: rows.columns[index].type),
                    let later = rows.value(of: value, column: index)
                else { throw PersistenceError.unconvertible(path: connection.place) }
                return later
            }
    }

    func end(_ layout: SQLLayout, announcesChange: Bool) throws {
        try schema.addReferences(layout)
        try schema.renameConstraints(layout)
        // A change of labels or file names alone changes no table.
        if announcesChange { try schema.replaceIndexes(layout) }
    }
}
#endif
