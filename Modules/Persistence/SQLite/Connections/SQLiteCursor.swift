import StrataCore
import StrataSQL
import StrataStoreKit

/// The result rows of a running SQLite statement, for a cursor.
final class SQLiteRows: LeasedRows {
    private let statement: SQLiteStatement
    private let source: SQLiteRowSource
    private let reader: RowReader

    init(_ request: ResolvedRequest, _ layout: SQLLayout, on connection: SQLiteConnection) throws {
        var writer = SQLWriter(request.entity, layout)
        statement = try connection.statement(writer.selection(request))
        statement.markInUse()
        source = SQLiteRowSource(statement, SQLiteRowShape(request.entity), isAscending: request.isByIdentifier)
        reader = RowReader(source, source.cells)
        do {
            try statement.bind(writer.values)
        } catch {
            statement.reset()
            throw error
        }
    }

    func read(_ body: (RowReader) throws -> FetchFlow) throws -> Bool {
        while try statement.step() {
            try source.load()
            if case .stop = try body(reader) { return true }
        }
        return false
    }

    /// Ends the statement's use; if the store closes, also frees the statement, which a cursor may still retain.
    func end(_ reason: LeasedRowsEnd) {
        if case .closed = reason { statement.finalize() } else { statement.reset() }
    }
}

extension SQLiteConnectionPool {
    /// Returns a cursor over the rows of a request, or `nil` if the leased connection was returned to its pool.
    func cursor(
        _ request: ResolvedRequest, in layout: SQLLayout, on lease: ReadLease<SQLiteConnection>, ownsLease: Bool
    ) throws -> SQLCursor<SQLiteConnection>? {
        try SQLCursor(on: lease, ownsLease: ownsLease, check: checkUnchanged) { connection in
            try SQLiteRows(request, layout, on: connection)
        }
    }

    /// Returns a snapshot whose transaction has not begun yet.
    func snapshot(in layout: SQLLayout) throws -> SQLSnapshot<SQLiteConnection> {
        SQLSnapshot(layout, try ReadLease(connections), check: checkUnchanged) { [self] request, lease in
            try cursor(request, in: layout, on: lease, ownsLease: false)
        }
    }
}

extension SQLSnapshot<SQLiteConnection> {
    /// Begins the snapshot's transaction and reads once, because in SQLite the first read determines the snapshot.
    func begin() throws {
        try read { connection in
            try connection.execute("BEGIN")
            _ = try connection.number("SELECT count(*) FROM sqlite_schema")
        }
    }

    /// Ends the snapshot's transaction, so that ``begin()`` can begin another one.
    func cancel() throws { try read { $0.rollBack() } }

    /// Copies the snapshot page by page into the database of another connection, whose content it replaces.
    ///
    /// See ``SQLiteBackup/copy(from:to:willCopy:)``.
    func copy(to other: SQLiteConnection, willCopy: (_ pages: Int, _ all: Int) throws -> Void) throws {
        try read { try SQLiteBackup.copy(from: $0, to: other, willCopy: willCopy) }
    }
}
