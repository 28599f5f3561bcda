import StrataCore
import Synchronization

/// A reading connection that is held for longer than a call, until it is returned or the store closes.
///
/// The caller's code never runs under the lock of the lease's state: a reader takes the connection out of the state and
/// puts it back at the end. A stop or an end that occurs during the read, even by the caller's code, is recorded and
/// applied after the read.
final class SQLiteLease: Sendable {
    // SAFETY: only the current reader uses the connection and the statements. If there is no reader, they are used
    // under the state's lock. The pool gives the connection to no other caller.
    fileprivate struct State: @unchecked Sendable {
        var phase = Phase.open
        /// The connection until its return, which waits for the current reader.
        var connection: SQLiteConnection?
        /// A Boolean value that indicates whether a read is in progress.
        var isInUse = false
        /// The statements that run on the connection, which are reset before its return.
        var running: [ObjectIdentifier: SQLiteStatement] = [:]
        /// The statements that were stopped during a read.
        var stopped: [SQLiteStatement] = []
    }

    fileprivate enum Phase {
        case open, ended, closed
    }

    private let pool: SQLiteConnectionPool
    private let state: Guarded<State>
    /// The lock that is held while rows are read, so that only one thread reads at a time.
    ///
    /// It is not a leaf lock: *the caller's closure runs under it.*
    private let turn = Guarded(())
    /// The thread that reads; 0 if there is none.
    private let owner = Atomic<UInt>(0)
    /// A Boolean value that indicates whether the lease has ended, which a reader checks before each row.
    private let hasEnded = Atomic<Bool>(false)

    init(_ pool: SQLiteConnectionPool) throws {
        self.pool = pool
        state = Guarded(State(connection: try pool.borrow()))
        pool.register(self)
    }

    deinit {
        end(.ended)
        pool.unregister(ObjectIdentifier(self))
    }

    /// A Boolean value that indicates whether the current thread is inside a read of this lease.
    var isReadByThisThread: Bool { owner.load(ordering: .relaxed) == WriterLock.currentThreadNumber }

    /// Runs `body` with exclusive use of the connection; returns `nil` if the connection was returned.
    ///
    /// - Throws: The error of `body`, or ``PersistenceError`` with code ``PersistenceError/Code/closed`` if the store
    ///   was closed.
    func withConnection<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result? {
        try checkNotInside()
        return try turn.withLock { _ in
            guard let connection = try begin() else { return nil }
            owner.store(WriterLock.currentThreadNumber, ordering: .relaxed)
            defer {
                owner.store(0, ordering: .relaxed)
                finish()
            }
            return try body(connection)
        }
    }

    /// Throws if the current thread is inside a read, because the thread would wait for itself.
    private func checkNotInside() throws {
        guard isReadByThisThread else { return }
        throw PersistenceError(
            .invalidRequest,
            "the snapshot is being read on this thread; use it before or after that, or use another snapshot")
    }

    /// Throws if the lease has ended since the read began; the remaining rows are then not passed to the caller.
    func checkContinuation() throws {
        guard hasEnded.load(ordering: .relaxed) else { return }
        try state.withLock { try Self.check($0.phase) }
        throw PersistenceError.snapshotClosed
    }

    private static func check(_ phase: Phase) throws {
        guard case .closed = phase else { return }
        throw PersistenceError(.closed, "the store was closed while its rows were read")
    }

    // MARK: Reading

    private func begin() throws -> SQLiteConnection? {
        try state.withLock { state in
            try Self.check(state.phase)
            guard case .open = state.phase else { return nil }
            state.isInUse = true
            return state.connection
        }
    }

    private func finish() {
        let ended = state.withLock { state -> SQLiteConnection? in
            state.isInUse = false
            for statement in state.stopped { statement.reset() }
            state.stopped = []
            guard state.phase != .open else { return nil }
            return state.takeConnection()
        }
        if let ended { pool.release(ended) }
    }

    /// Binds a statement that runs until it is stopped.
    func start(_ sql: String, _ values: [StoredValue]) throws -> SQLiteStatement? {
        try withConnection { connection in
            let statement = try connection.statement(sql)
            statement.markInUse()
            do {
                try statement.bind(values)
            } catch {
                statement.reset()
                throw error
            }
            let box = SQLiteStatementBox(statement: statement)
            state.withLock { $0.running[ObjectIdentifier(box.statement)] = box.statement }
            return box
        }?.statement
    }

    /// Ends a statement that this lease started; has no effect if the connection was returned.
    func stop(_ statement: ObjectIdentifier) {
        state.withLock { state in
            guard let statement = state.running.removeValue(forKey: statement) else { return }
            if state.isInUse { state.stopped.append(statement) } else { statement.reset() }
        }
    }

    // MARK: End

    /// Revokes the connection because the store closes.
    func invalidate() { end(.closed) }

    /// Returns the connection to the pool.
    func end() { end(.ended) }

    /// Throws if a file that is read without locks has changed.
    func checkUnchanged() throws { try pool.checkUnchanged() }

    private func end(_ phase: Phase) {
        let connection = state.withLock { state -> SQLiteConnection? in
            guard case .open = state.phase else { return nil }
            state.phase = phase
            hasEnded.store(true, ordering: .relaxed)
            return state.isInUse ? nil : state.takeConnection()
        }
        if let connection { pool.release(connection) }
    }
}

extension SQLiteLease.State {
    /// Returns the connection in its original state, so that it can be returned to the pool.
    ///
    /// If the store closes, the method frees the statements of cursors that callers still retain.
    fileprivate mutating func takeConnection() -> SQLiteConnection? {
        for statement in running.values {
            if case .closed = phase { statement.finalize() } else { statement.reset() }
        }
        running = [:]
        connection?.rollBack()
        defer { connection = nil }
        return connection
    }
}

/// A box that transfers a statement out of one read, for use inside another one.
///
/// SAFETY: only the cursor that started the statement uses it, and only while it reads.
private struct SQLiteStatementBox: @unchecked Sendable {
    let statement: SQLiteStatement
}
