import StrataCore
import Synchronization

/// A reading connection that is held for longer than a call, until it is given back or the store closes.
final class SQLiteLease: Sendable {
    // SAFETY: connection and statements are used under the lease's lock only, and the pool gives the connection to nobody else.
    private struct Open: @unchecked Sendable {
        let connection: SQLiteConnection
        /// What is running on the connection, to be reset before it is given back.
        var running: [ObjectIdentifier: SQLiteStatement] = [:]
    }

    private enum State: Sendable {
        case open(Open)
        case ended
        case closed
    }

    private let pool: SQLiteConnectionPool
    private let state: Guarded<State>
    /// The thread that is inside; 0 when none is.
    private let owner = Atomic<UInt>(0)

    init(_ pool: SQLiteConnectionPool) throws {
        self.pool = pool
        state = Guarded(.open(Open(connection: try pool.borrow())))
        pool.register(self)
    }

    deinit {
        end(isClosed: false)
        pool.unregister(ObjectIdentifier(self))
    }

    /// Runs `body` with the connection, alone; `nil` when it was given back.
    ///
    /// - Throws: What `body` throws, or ``PersistenceError`` with code ``PersistenceError/Code/closed`` when the store was closed.
    func withConnection<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result? {
        try checkNotInside()
        return try state.withLock { state in
            owner.store(thread, ordering: .relaxed)
            defer { owner.store(0, ordering: .relaxed) }
            switch state {
            case .ended: return nil
            case .closed: throw PersistenceError(.closed, "the store was closed while its rows were read")
            case .open(let open): return try body(open.connection)
            }
        }
    }

    private var thread: UInt { UInt(bitPattern: WriterLock.currentThread) }

    /// Whoever asks from inside a reading would wait for itself.
    private func checkNotInside() throws {
        guard owner.load(ordering: .relaxed) == thread else { return }
        throw PersistenceError(
            .invalidRequest, "the snapshot is being read on this thread; ask it before or after, or read another one")
    }

    /// Binds a statement that runs on until it is stopped.
    func start(_ sql: String, _ values: [StoredValue]) throws -> SQLiteStatement? {
        try checkNotInside()
        return try state.withLock { state -> SQLiteStatementBox? in
            switch state {
            case .ended: return nil
            case .closed: throw PersistenceError(.closed, "the store was closed while its rows were read")
            case .open(var open):
                let statement = try open.connection.statement(sql)
                statement.markInUse()
                do {
                    try statement.bind(values)
                } catch {
                    statement.reset()
                    throw error
                }
                open.running[ObjectIdentifier(statement)] = statement
                state = .open(open)
                return SQLiteStatementBox(statement: statement)
            }
        }?.statement
    }

    /// Ends a statement that was started here; without effect when the connection was given back.
    func stop(_ statement: ObjectIdentifier) {
        state.withLock { state in
            guard case .open(var open) = state, let statement = open.running.removeValue(forKey: statement) else {
                return
            }
            statement.reset()
            state = .open(open)
        }
    }

    /// Takes the connection back because the store closes.
    func invalidate() { end(isClosed: true) }

    /// Gives the connection back.
    func end() { end(isClosed: false) }

    /// A file that is read without locks must be the same before and after.
    func checkUnchanged() throws { try pool.checkUnchanged() }

    private func end(isClosed: Bool) {
        let connection = state.withLock { state -> SQLiteConnection? in
            guard case .open(let open) = state else { return nil }
            for statement in open.running.values { statement.reset() }
            open.connection.rollBack()
            state = isClosed ? .closed : .ended
            return open.connection
        }
        if let connection { pool.giveBack(connection) }
    }
}

/// Carries a statement out of the lease's lock, to be used inside it again.
///
/// SAFETY: only the cursor that started the statement uses it, and only within the lease's lock.
private struct SQLiteStatementBox: @unchecked Sendable {
    let statement: SQLiteStatement
}
