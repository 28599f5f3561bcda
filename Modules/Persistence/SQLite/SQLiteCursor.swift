/// A cursor over a running statement.
///
/// It holds a reading connection, and with it one state of the store, until its end.
final class SQLiteCursor: RowCursor, Sendable {
    // SAFETY: statement and source belong to the connection, which this cursor borrowed alone and uses under its lock only.
    private struct Open: @unchecked Sendable {
        var connection: SQLiteConnection
        var statement: SQLiteStatement
        var source: SQLiteRowSource
    }

    private enum State: Sendable {
        case open(Open)
        case ended
        case closed
    }

    private let pool: SQLiteConnectionPool
    private let state: Guarded<State>

    init(
        _ statement: SQLiteStatement, _ entity: EntityDescription, on connection: SQLiteConnection,
        pool: SQLiteConnectionPool
    ) {
        self.pool = pool
        let source = SQLiteRowSource(statement, entity)
        state = Guarded(.open(Open(connection: connection, statement: statement, source: source)))
        pool.register(self)
    }

    deinit {
        end(isClosed: false)
        pool.unregister(ObjectIdentifier(self))
    }

    func next(_ body: (RowReader) throws -> Void) throws -> Bool {
        let hasRow = try state.withLock { state in
            switch state {
            case .ended: return false
            case .closed: throw PersistenceError(.closed, "the store was closed while its rows were read")
            case .open(let open):
                guard try open.statement.step() else { return false }
                try body(RowReader(open.source))
                return true
            }
        }
        if !hasRow {
            end(isClosed: false)
            try pool.checkUnchanged()
        }
        return hasRow
    }

    /// Takes the connection back because the store closes.
    func invalidate() {
        end(isClosed: true)
    }

    private func end(isClosed: Bool) {
        let connection = state.withLock { state -> SQLiteConnection? in
            guard case .open(let open) = state else { return nil }
            open.statement.reset()
            state = isClosed ? .closed : .ended
            return open.connection
        }
        if let connection { pool.giveBack(connection) }
    }
}
