import CStrataSQLite
import StrataCore
import StrataSQL

extension SQLiteConnection: SQLConnection {
    func storedRow(_ id: Int64, of entity: EntityDescription, by sql: String) throws -> StoredRow? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind([.integer(id)])
        guard try statement.step() else { return nil }
        let source = SQLiteRowSource(statement, shape(of: entity), isAscending: false)
        try source.load()
        return StoredRow(
            id: source.id, version: source.version, values: try entity.columns.indices.map { try source.value(at: $0) })
    }
}

extension SQLiteConnection: SQLBulkConnection {
    func prepare(_ sql: String) throws -> SQLiteStatement { try SQLiteStatement(sql, on: self) }

    func rowInserter(_ rows: SQLInsertedRows, in layout: SQLLayout) throws -> any SQLRowInserter {
        if rows.entity.keepsOrder { try keepPages(ofRowsInAnyOrder: true) }
        return try SQLiteRowInserter(rows, in: layout, on: self)
    }

    /// Runs the closure without a savepoint, because in SQLite a failed statement only reverts its own changes.
    func attempt<Result>(_ body: () throws -> Result) throws -> Result { try body() }

    func forEachInteger(_ sql: String, _ body: (Int64) throws -> Bool) throws {
        let statement = try SQLiteStatement(sql, on: self)
        defer { statement.reset() }
        while try statement.step(), try body(statement.integer(at: 0)) {}
    }

    func buildingIndexes(rows: Int, _ body: () throws -> Void) throws { try sortingOnThreads(rows: rows, body) }
}

extension SQLiteStatement: SQLStatement {
    func integer(at column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func value(at column: Int32, as type: AttributeType) -> StoredValue? { SQLiteValues.read(handle, column, as: type) }

    func bind(_ block: RowBlock, row: Int, column: Int, at index: Int32) throws {
        markInUse()
        block.withCells(row) { cells, bytes in
            // The cell is valid, and the block limits its length, so the binding cannot fail.
            _ = SQLiteValues.bind(cells[column], bytes: bytes, to: handle, index: index)
        }
    }
}
