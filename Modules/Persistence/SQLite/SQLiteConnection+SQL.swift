import CStrataSQLite
import StrataCore
import StrataSQL

extension SQLiteConnection: SQLConnection {
    func storedRow(_ id: Int64, of entity: EntityDescription, in layout: SQLLayout) throws -> StoredRow? {
        let statement = try statement(layout.selection(entity))
        defer { statement.reset() }
        try statement.bind([.integer(id)])
        guard try statement.step() else { return nil }
        let source = SQLiteRowSource(statement, entity, isAscending: false)
        try source.stand()
        return StoredRow(
            id: source.id, version: source.version, values: try entity.columns.indices.map { try source.value(at: $0) })
    }
}

extension SQLiteStatement: SQLStatement {
    func integer(at column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
}
