package import StrataCore
package import StrataStoreKit
import Synchronization

/// A connection that is borrowed for longer than a call, until the lease ends or the store closes.
///
/// One reader at a time uses the connection. The caller's code never runs while the lock of the lease's state is
/// locked: a reader takes the connection out of the state first. If the lease is ended during a read, possibly by the
/// caller's code, this is recorded, and the connection is returned after the read.
package final class ReadLease<Connection: PooledConnection>: Sendable {
    private enum Phase { case open, ended, closed }

    // SAFETY: only the current reader uses the connection and its rows. If there is no reader, they are used under the
    // state's lock. The pool provides the connection to no other caller.
    private struct State: @unchecked Sendable {
        var phase = Phase.open
        /// The leased connection; `nil` after it was returned to the pool.
        var connection: Connection?
        /// A Boolean value that indicates whether a read is in progress.
        var isInUse = false
        /// The rows of the statements that run on the connection; these statements are ended before the connection is
        /// returned.
        var rows: [ObjectIdentifier: any LeasedRows] = [:]
        /// The rows of statements that were ended during a read; the statements are reset after the read.
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
    /// The lock that is locked while a reader uses the connection, so that only one thread reads at a time.
    ///
    /// It is not a leaf lock: *the caller's closure runs under it.*
    private let turn = Guarded(())
    /// The number of the thread that uses the connection, or 0 if none does.
    private let owner = Atomic<UInt>(0)
    /// A Boolean value that indicates whether the lease has ended, which a reader checks before each row.
    private let hasEnded = Atomic<Bool>(false)
    /// The count of snapshots that use the lease.
    private let shares = Atomic<Int>(1)

    /// Borrows a connection from a pool and prepares it by a closure.
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

    /// Runs `body` with exclusive use of the connection; returns `nil` without a call of `body` if the connection was
    /// returned.
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

    /// Throws if the lease has ended since the current read began, so that no further rows are passed to the caller.
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

    /// Creates the rows of a statement that runs on the connection; returns `nil` if the connection was returned.
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

    /// Ends a statement that this lease started, at the latest after the current read; has no effect if the connection
    /// was returned.
    func end(_ rows: ObjectIdentifier) {
        state.withLock { state in
            guard let rows = state.rows.removeValue(forKey: rows) else { return }
            if state.isInUse { state.ended.append(rows) } else { rows.end(.finished) }
        }
    }

    // MARK: End

    /// Sets the count of snapshots that use the lease; each of them calls ``leave()`` once, and the last call ends the
    /// lease.
    package func share(by count: Int) { shares.store(count, ordering: .relaxed) }

    /// Ends the use of the lease by one snapshot; if no other snapshot uses it, returns the connection to the pool.
    func leave() {
        if shares.subtract(1, ordering: .relaxed).newValue <= 0 { end() }
    }

    /// Ends the lease because the store closes.
    func invalidate() { end(.closed) }

    /// Ends the lease and returns the connection to the pool.
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

/// The result rows of a statement that runs on a leased connection.
package protocol LeasedRows: AnyObject {
    /// Passes the next rows to `body` until `body` returns `.stop`; the first row follows the last row of the previous
    /// call.
    ///
    /// - Returns: False if all rows were passed.
    func read(_ body: (RowReader) throws -> FetchFlow) throws -> Bool
    /// Ends the statement, for a given reason.
    func end(_ reason: LeasedRowsEnd)
}

/// The reason why a statement on a leased connection is ended.
package enum LeasedRowsEnd {
    /// The reader needs no more rows; the connection remains leased.
    case finished
    /// The connection is returned to its pool, which rolls back the transaction.
    case returned
    /// The store is closing, and the connection will be closed.
    case closed
}
