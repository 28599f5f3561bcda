import StrataCore
import Synchronization

/// A reading connection that is held for longer than a call, until it is given back or the store closes.
///
/// The caller's code never runs under the lock of its state: who reads takes the connection out, and puts it back at the end. What is stopped or
/// ended meanwhile, be it by that code, is noted, and done then.
final class SQLiteLease: Sendable {
    // SAFETY: connection and statements are used by whoever reads, or, while nobody does, under the state's lock; the pool gives the
    // connection to nobody else.
    fileprivate struct State: @unchecked Sendable {
        var phase = Phase.open
        /// Until it is given back, which waits for who reads.
        var connection: SQLiteConnection?
        /// Whether somebody reads.
        var isInUse = false
        /// What is running on the connection, to be reset before it is given back.
        var running: [ObjectIdentifier: SQLiteStatement] = [:]
        /// What was stopped while somebody read.
        var stopped: [SQLiteStatement] = []
    }

    fileprivate enum Phase {
        case open, ended, closed
    }

    private let pool: SQLiteConnectionPool
    private let state: Guarded<State>
    /// Held while rows are read: two threads that read wait for each other.
    ///
    /// No leaf lock: *the caller's closure runs under it.*
    private let turn = Guarded(())
    /// The thread that reads; 0 when none does.
    private let owner = Atomic<UInt>(0)
    /// Whether the lease has ended, for who reads: asked before every row.
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

    /// Whether this call comes from inside a reading.
    var isReadByThisThread: Bool { owner.load(ordering: .relaxed) == WriterLock.currentThreadNumber }

    /// Runs `body` with the connection, alone; `nil` when it was given back.
    ///
    /// - Throws: What `body` throws, or ``PersistenceError`` with code ``PersistenceError/Code/closed`` when the store was closed.
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

    /// Whoever asks from inside a reading would wait for itself.
    private func checkNotInside() throws {
        guard isReadByThisThread else { return }
        throw PersistenceError(
            .invalidRequest, "the snapshot is being read on this thread; ask it before or after, or read another one")
    }

    /// Throws when the lease has ended since the reading began: the rows that are left are not given.
    func checkGoingOn() throws {
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
        if let ended { pool.giveBack(ended) }
    }

    /// Binds a statement that runs on until it is stopped.
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

    /// Ends a statement that was started here; without effect when the connection was given back.
    func stop(_ statement: ObjectIdentifier) {
        state.withLock { state in
            guard let statement = state.running.removeValue(forKey: statement) else { return }
            if state.isInUse { state.stopped.append(statement) } else { statement.reset() }
        }
    }

    // MARK: Ending

    /// Takes the connection back because the store closes.
    func invalidate() { end(.closed) }

    /// Gives the connection back.
    func end() { end(.ended) }

    /// A file that is read without locks must be the same before and after.
    func checkUnchanged() throws { try pool.checkUnchanged() }

    private func end(_ phase: Phase) {
        let connection = state.withLock { state -> SQLiteConnection? in
            guard case .open = state.phase else { return nil }
            state.phase = phase
            hasEnded.store(true, ordering: .relaxed)
            return state.isInUse ? nil : state.takeConnection()
        }
        if let connection { pool.giveBack(connection) }
    }
}

extension SQLiteLease.State {
    /// The connection as it was before, to be given back; one that is to be closed without the statements of cursors that somebody holds.
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

/// Carries a statement out of a reading, to be used inside one again.
///
/// SAFETY: only the cursor that started the statement uses it, and only while it reads.
private struct SQLiteStatementBox: @unchecked Sendable {
    let statement: SQLiteStatement
}
