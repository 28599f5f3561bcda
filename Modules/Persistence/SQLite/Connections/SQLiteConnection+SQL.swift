import CStrataSQLite
import Foundation
import StrataCore
import StrataSQL
import StrataStoreKit

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

extension SQLiteConnection {
    /// The minimum count of rows for which an index is sorted on several threads.
    ///
    /// For fewer rows, one thread needs the same time, fewer instructions, and 3 MB less memory.
    private static let rowsForThreads = 250_000
    /// The maximum count of threads that sort an index; further threads would wait for one another.
    private static let maximumThreads = 4

    /// Runs `body`, which builds indexes over tables with a count of rows, and lets SQLite sort on several threads if
    /// the count is large.
    ///
    /// SQLite sorts the keys of an index on several threads only if a setting allows this. For example, sorting a
    /// million dates takes 0.7 s on two cores instead of 1.05 s.
    func sortingOnThreads<Result>(rows: Int, _ body: () throws -> Result) throws -> Result {
        let isLarge = rows >= Self.rowsForThreads
        let threads = isLarge ? min(ProcessInfo.processInfo.activeProcessorCount, Self.maximumThreads) : 1
        guard threads > 1 else { return try body() }
        try execute("PRAGMA threads = \(threads)")
        let result = try body()
        // After an error, the connection is closed, or it also sorts the next keys on several threads, which is
        // harmless.
        try execute("PRAGMA threads = 0")
        return result
    }
}
