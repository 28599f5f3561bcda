#if PostgreSQL
import StrataCore
import StrataSQL
import StrataStoreKit

extension PostgreSQLConnection: SQLStageConnection {
    func stageInsertion(_ entity: EntityDescription, _ layout: SQLLayout) throws -> PostgreSQLStageInsertion {
        PostgreSQLStageInsertion(entity, layout, on: self)
    }

    /// Checks references by queries, because the foreign keys of the new tables do not exist yet.
    func checkReferences(_ what: String, in layout: SQLLayout) throws {
        if let found = try firstDangling(in: layout) { throw found.error(what, path: place) }
    }
}

/// An object that inserts new rows of one entity in a migration stage.
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

    /// Inserts a row inside a savepoint, because user code can handle the error of a rejected row.
    func write(_ row: StoredRow) throws {
        do {
            try connection.attempt {
                try connection.run(insertion, [.integer(row.id), .integer(row.version)] + row.values)
            }
        } catch let error as PersistenceError where error.code == .uniqueness {
            throw error.namingRow(row, entity)
        }
    }

    /// The minimum count of rows that are inserted by COPY; fewer rows are inserted one by one.
    private static let fewestCopied = 4

    /// Inserts rows in their order.
    ///
    /// - Throws: The error of ``write(_:)-(StoredRow)`` for the first row that cannot be inserted.
    func write(_ rows: [StoredRow]) throws {
        guard rows.count >= Self.fewestCopied else { return try rows.forEach(write) }
        do {
            try connection.attempt { try writeAtOnce(rows) }
        } catch let error as PersistenceError where error.code == .uniqueness {
            // Write the rows one by one to find the rejected one.
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
