import CStrataSQLite
import StrataCore
import StrataSQL
import StrataStoreKit

/// An inserter that writes the rows of one entity by prepared statements, to which it binds the bytes of a block
/// without a copy.
final class SQLiteRowInserter: SQLRowInserter {
    /// The maximum count of rows that one statement inserts; more rows would not make the insertion faster.
    private static let maximumGroup = 32
    /// The maximum count of parameters of a statement; SQLite's own limit is 32,766.
    private static let maximumParameters = 1_000

    let rows: SQLInsertedRows
    private let layout: SQLLayout
    private let connection: SQLiteConnection
    private let defaults: RowDefaults
    private let columnCount: Int
    private let version: Int64
    /// The statement that inserts one row; `nil` after ``end()``, which frees it while the writer still has the
    /// connection.
    private var insertion: SQLiteStatement?
    /// The statement that inserts several rows.
    ///
    /// It takes a third less time than a separate statement for each row, because starting and ending a statement takes
    /// as long as inserting a row.
    private var groupInsertion: SQLiteStatement?
    let groupSize: Int
    let takesFewer = false

    init(_ rows: SQLInsertedRows, in layout: SQLLayout, on connection: SQLiteConnection) throws {
        self.rows = rows
        self.layout = layout
        self.connection = connection
        (defaults, version) = (rows.defaults, rows.version)
        columnCount = rows.entity.columns.count
        groupSize = max(1, min(Self.maximumGroup, Self.maximumParameters / (columnCount + 2)))
        insertion = try SQLiteStatement(layout.insertion(rows.entity), on: connection)
    }

    func insert(_ block: inout RowBlock) throws {
        guard insertion != nil else { throw PersistenceError.transactionIsOver }
        // The bound values are in the block, whose memory is reused.
        defer { insertion?.reset() }
        try rows.insert(&block, by: self)
    }

    func insert(_ block: RowBlock, rows: Range<Int>, ids: [Int64]) throws -> Bool {
        let statement = try groupInsertion ?? makeGroupInsertion()
        let handle = statement.handle
        var code = SQLITE_OK
        var parameter: Int32 = 1
        for row in rows {
            code |= sqlite3_bind_int64(handle, parameter, ids[row])
            code |= bindCells(block, row: row, to: handle, parameter: parameter + 2)
            parameter += Int32(columnCount) + 2
        }
        if code == SQLITE_OK { code = sqlite3_step(handle) }
        defer { sqlite3_reset(handle) }
        if code == SQLITE_DONE { return true }
        // Without the transaction, SQLite would commit each row of the group on its own.
        guard connection.isInTransaction else {
            throw connection.failure(code, sql: insertion?.sql).error(path: connection.path)
        }
        return false
    }

    private func makeGroupInsertion() throws -> SQLiteStatement {
        let statement = try SQLiteStatement(layout.insertion(rows.entity, rows: groupSize), on: connection)
        // Every row of the inserter has the same version, which stays bound.
        for row in 0..<groupSize { try statement.bind(version, at: Int32(row * (columnCount + 2)) + 2) }
        groupInsertion = statement
        return statement
    }

    /// Binds the cells of a block's row without a copy, and runs the statement that inserts one row.
    func insert(_ block: RowBlock, row: Int, id: Int64) throws(PersistenceError) {
        guard let insertion else { throw .transactionIsOver }
        let handle = insertion.handle
        var code = sqlite3_bind_int64(handle, 1, id) | sqlite3_bind_int64(handle, 2, version)
        code |= bindCells(block, row: row, to: handle, parameter: 3)
        if code == SQLITE_OK { code = sqlite3_step(handle) }
        guard code != SQLITE_DONE else {
            sqlite3_reset(handle)
            return
        }
        let failure = connection.failure(code, sql: insertion.sql)
        let error = failure.error(path: connection.path, busyTimeout: connection.busyTimeout)
        sqlite3_reset(handle)
        guard error.code == .uniqueness else { throw error }
        throw error.namingRow(rows.row(block, row: row, id: id), rows.entity)
    }

    /// Binds the cells of a block's row to successive parameters of a statement.
    @inline(__always)
    private func bindCells(
        _ block: RowBlock, row: Int, to handle: OpaquePointer, parameter: Int32
    ) -> Int32 {
        var code = SQLITE_OK
        block.withCells(row) { cells, bytes in
            for column in cells.indices {
                let index = parameter + Int32(column)
                code |=
                    cells[column].kind == .absent
                    ? SQLiteValues.bind(defaults.value(column), to: handle, index)
                    : SQLiteValues.bind(cells[column], bytes: bytes, to: handle, index: index)
            }
        }
        return code
    }

    func end() {
        insertion = nil
        groupInsertion = nil
        rows.end()
    }
}

extension RowBlock {
    /// Provides access to the cells of a row, and to the bytes that contain its texts, without a copy.
    @inline(__always)
    func withCells(_ row: Int, _ body: (UnsafeBufferPointer<RowBlock.Cell>, UnsafeRawBufferPointer) -> Void) {
        cells.withUnsafeBufferPointer { cells in
            bytes.withUnsafeBytes { bytes in
                let start = row * columnCount
                body(UnsafeBufferPointer(rebasing: cells[start..<start + columnCount]), bytes)
            }
        }
    }
}

extension SQLiteValues {
    /// Binds a cell to a parameter; the bytes of a text must remain at their address until another value is bound.
    @inline(__always)
    static func bind(
        _ cell: RowBlock.Cell, bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, index: Int32
    ) -> Int32 {
        switch cell.kind {
        case .absent, .null: return sqlite3_bind_null(statement, index)
        case .integer: return sqlite3_bind_int64(statement, index, cell.bits)
        case .real: return sqlite3_bind_double(statement, index, cell.real)
        case .text:
            let range = cell.range
            // An empty buffer may have no address, and SQLite interprets a null address as null.
            guard !range.isEmpty, let base = bytes.baseAddress else { return strata_bind_text(statement, index, "", 0) }
            return strata_bind_static_text(statement, index, base + range.lowerBound, UInt64(range.count))
        case .blob:
            let range = cell.range
            guard !range.isEmpty, let base = bytes.baseAddress else {
                return sqlite3_bind_zeroblob(statement, index, 0)
            }
            return strata_bind_static_blob(statement, index, base + range.lowerBound, UInt64(range.count))
        }
    }
}
