import StrataCore
import StrataSQL

/// An object that inserts new rows of one entity in a migration stage.
final class SQLiteStageInsertion: SQLStageInsertion {
    private let entity: EntityDescription
    private let statement: SQLiteStatement

    init(_ entity: EntityDescription, _ layout: SQLLayout, on connection: SQLiteConnection) throws {
        self.entity = entity
        statement = try SQLiteStatement(layout.insertion(entity), on: connection)
    }

    func write(_ row: StoredRow) throws {
        defer { statement.rewind() }
        do {
            try statement.bind([.integer(row.id), .integer(row.version)] + row.values)
            _ = try statement.step()
        } catch let error as PersistenceError where error.code == .uniqueness {
            throw error.namingRow(row, entity)
        }
    }

    func write(_ rows: [StoredRow]) throws {
        for row in rows { try write(row) }
        // This frees the last bound values, which may be long.
        statement.reset()
    }
}
