#if PostgreSQL
import StrataCore
import StrataSQL

extension PostgreSQLConnection: SQLStageConnection {
    func stageInsertion(_ entity: EntityDescription, _ layout: SQLLayout) throws -> PostgreSQLStageInsertion {
        PostgreSQLStageInsertion(entity, layout, on: self)
    }

    /// References that are not defined yet are asked for by queries.
    func checkReferences(_ what: String, in layout: SQLLayout) throws {
        if let found = try firstDangling(in: layout) { throw found.error(what, path: place) }
    }
}

/// Writes the later rows of one entity in a stage.
final class PostgreSQLStageInsertion: SQLStageInsertion {
    private let entity: EntityDescription
    private let connection: PostgreSQLConnection
    private let insertion: String
    private let (table, columns): (String, String)

    init(_ entity: EntityDescription, _ layout: SQLLayout, on connection: PostgreSQLConnection) {
        (self.entity, self.connection) = (entity, connection)
        insertion = layout.insertion(entity)
        (table, columns) = (layout.table(entity.name), layout.rowColumns(entity))
    }

    /// Behind a savepoint, as the code may have another way where the row is refused.
    func write(_ row: StoredRow) throws {
        do {
            try connection.attempt {
                try connection.run(insertion, [.integer(row.id), .integer(row.version)] + row.values)
            }
        } catch let error as PersistenceError where error.code == .uniqueness {
            throw error.namingRow(row, entity)
        }
    }

    /// Fewer go one by one.
    private static let fewestCopied = 4

    /// Writes rows in their order.
    ///
    /// - Throws: As the call with one row, for the first that cannot be written.
    func write(_ rows: [StoredRow]) throws {
        guard rows.count >= Self.fewestCopied else { return try rows.forEach(write) }
        do {
            try connection.attempt { try writeAtOnce(rows) }
        } catch let error as PersistenceError where error.code == .uniqueness {
            // Which of them it is shows when they come one by one.
            try rows.forEach(write)
            throw error
        }
    }

    private func writeAtOnce(_ rows: [StoredRow]) throws {
        try connection.copy(connection.copying(into: table, columns: columns)) { data in
            for row in rows {
                try data.beginRow(fieldCount: row.values.count + 2)
                data.append(row.id)
                data.append(row.version)
                for value in row.values { data.append(value) }
            }
        }
    }
}
#endif
