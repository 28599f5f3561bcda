package import StrataCore
import Synchronization

/// A connection that is held for longer than a call, until it is returned or the store closes.
///
/// It has one reader at a time. The caller's code never runs under the lock of the lease's state: a reader takes the
/// connection out of the state. An end that occurs during the read, even by the caller's code, is recorded and applied
/// after the read.
package final class ReadLease<Connection: PooledConnection>: Sendable {
    private enum Phase { case open, ended, closed }

    // SAFETY: only the current reader uses the connection and its rows. If there is no reader, they are used under the
    // state's lock. The pool provides the connection to no other caller.
    private struct State: @unchecked Sendable {
        var phase = Phase.open
        /// The connection until its return, which waits for the current reader.
        var connection: Connection?
        /// A Boolean value that indicates whether a read is in progress.
        var isInUse = false
        /// The rows of running statements, which end before the connection is returned.
        var rows: [ObjectIdentifier: any LeasedRows] = [:]
        /// The rows that were ended during a read.
        var ended: [any LeasedRows] = []

        mutating func takeConnection() -> Connection? {
            for rows in rows.values { rows.end(phase == .closed ? .closed : .returned) }
            rows = [:]
            defer { connection = nil }
            return connection
        }
    }

    private let pool: ConnectionPool<Connection>
    private let state: Guarded<State>
    /// The lock that is held while rows are read, so that only one thread reads at a time.
    ///
    /// It is not a leaf lock: *the caller's closure runs under it.*
    private let turn = Guarded(())
    /// The number of the thread that reads, or 0.
    private let owner = Atomic<UInt>(0)
    /// A Boolean value that indicates whether the lease has ended, which a reader checks before each row.
    private let hasEnded = Atomic<Bool>(false)
    /// The count of snapshots that use the lease.
    private let shares = Atomic<Int>(1)

    /// Borrows a connection and prepares it.
    package init(_ pool: ConnectionPool<Connection>, prepare: (Connection) throws -> Void = { _ in }) throws {
        self.pool = pool
        let connection = try pool.borrow()
        do { try prepare(connection) } catch {
            pool.release(connection)
            throw error
        }
        state = Guarded(State(connection: connection))
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
    package func withConnection<Result: Sendable>(_ body: (Connection) throws -> Result) throws -> Result? {
        // The thread would wait for itself.
        guard !isReadByThisThread else {
            throw PersistenceError(
                .invalidRequest,
                "the snapshot is being read on this thread; use it before or after that, or use another snapshot")
        }
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

    /// Throws if the lease has ended since the read began; the remaining rows are then not passed to the caller.
    func checkContinuation() throws {
        guard hasEnded.load(ordering: .relaxed) else { return }
        try state.withLock { try check($0.phase) }
        throw PersistenceError.snapshotClosed
    }

    private func check(_ phase: Phase) throws {
        guard case .closed = phase else { return }
        throw PersistenceError(.closed, "the store was closed while its rows were read")
    }

    private func begin() throws -> Connection? {
        try state.withLock { state in
            try check(state.phase)
            guard case .open = state.phase else { return nil }
            state.isInUse = true
            return state.connection
        }
    }

    private func finish() {
        let connection = state.withLock { state -> Connection? in
            state.isInUse = false
            for rows in state.ended { rows.end(.finished) }
            state.ended = []
            return state.phase == .open ? nil : state.takeConnection()
        }
        if let connection { pool.release(connection) }
    }

    // MARK: Rows

    /// Creates rows that run on the connection until they end; returns `nil` if the connection was returned.
    func start<Rows: LeasedRows>(_ makeRows: (Connection) throws -> Rows) throws -> Rows? {
        try withConnection { connection in
            let rows = try makeRows(connection)
            state.withLock { $0.rows[ObjectIdentifier(rows)] = rows }
            return Box(value: rows)
        }?.value
    }

    // SAFETY: rows are read under the lease only.
    private struct Box<Value>: @unchecked Sendable {
        let value: Value
    }

    /// Ends rows that this lease started, after the current read; has no effect if the connection was returned.
    func end(_ rows: ObjectIdentifier) {
        state.withLock { state in
            guard let rows = state.rows.removeValue(forKey: rows) else { return }
            if state.isInUse { state.ended.append(rows) } else { rows.end(.finished) }
        }
    }

    // MARK: End

    /// Sets the count of snapshots that use the lease; the last call of ``leave()`` ends it.
    package func share(by count: Int) { shares.store(count, ordering: .relaxed) }

    /// Removes one snapshot, and returns the connection if no other snapshot uses the lease.
    func leave() {
        if shares.subtract(1, ordering: .relaxed).newValue <= 0 { end() }
    }

    /// Revokes the connection because the store closes.
    func invalidate() { end(.closed) }

    /// Returns the connection to the pool.
    func end() { end(.ended) }

    private func end(_ phase: Phase) {
        let connection = state.withLock { state -> Connection? in
            guard case .open = state.phase else { return nil }
            state.phase = phase
            hasEnded.store(true, ordering: .relaxed)
            return state.isInUse ? nil : state.takeConnection()
        }
        if let connection { pool.release(connection) }
    }
}

/// The rows of a statement that runs on a leased connection.
package protocol LeasedRows: AnyObject {
    /// Passes rows to `body`, from where the last call ended, until `body` returns `.stop`; returns `false` at the end.
    func read(_ body: (RowReader) throws -> FetchFlow) throws -> Bool
    /// Ends the statement.
    func end(_ reason: LeasedRowsEnd)
}

/// The reason for the end of rows.
package enum LeasedRowsEnd {
    /// The reader needs no more rows; the connection remains leased.
    case finished
    /// The connection returns to its pool, which rolls back the transaction.
    case returned
    /// The store closes, and the connection with it.
    case closed
}
