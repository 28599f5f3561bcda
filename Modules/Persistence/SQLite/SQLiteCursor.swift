import StrataCore
import StrataSQL

/// A cursor over a running statement.
///
/// The cursor holds a reading connection, and therefore one snapshot of the store: its own, or the one of a
/// ``SQLiteSnapshot``.
final class SQLiteCursor: RowCursor {
    private let lease: SQLiteLease
    private let statement: SQLiteStatement
    private let source: SQLiteRowSource
    private let reader: RowReader
    /// A Boolean value that indicates whether the cursor returns the connection at its end.
    private let ownsLease: Bool
    private var isAtEnd = false

    init?(
        _ request: ResolvedRequest, _ layout: SQLLayout, on lease: SQLiteLease, ownsLease: Bool
    ) throws {
        var writer = SQLWriter(request.entity, layout)
        let sql = writer.selection(request)
        guard let statement = try lease.start(sql, writer.values) else { return nil }
        self.lease = lease
        self.statement = statement
        self.ownsLease = ownsLease
        source = SQLiteRowSource(
            statement, SQLiteRowShape(request.entity), isAscending: request.isByIdentifier)
        reader = RowReader(source, source.cells)
    }

    deinit {
        lease.stop(ObjectIdentifier(statement))
    }

    func next(_ body: (RowReader) throws -> Void) throws -> Bool {
        try read { row in
            try body(row)
            return .stop
        }
    }

    func read(_ body: (RowReader) throws -> FetchFlow) throws -> Bool {
        try read(continues: false, body)
    }

    /// Passes all rows to `body` in one call, which continues even if `body` ends the snapshot or closes the store.
    func fetch(_ body: (RowReader) throws -> FetchFlow) throws {
        _ = try read(continues: true, body)
    }

    private func read(continues: Bool, _ body: (RowReader) throws -> FetchFlow) throws -> Bool {
        guard !isAtEnd else { return false }
        let hasMore = try lease.withConnection { _ in
            while try statement.step() {
                try source.load()
                if case .stop = try body(reader) { return true }
                if !continues { try lease.checkContinuation() }
            }
            return false
        }
        guard let hasMore else { throw PersistenceError.snapshotClosed }
        if !hasMore {
            isAtEnd = true
            lease.stop(ObjectIdentifier(statement))
            if ownsLease { lease.end() }
            try lease.checkUnchanged()
        }
        return hasMore
    }
}
