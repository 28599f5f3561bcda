#if PostgreSQL
import StrataCore
import Synchronization

/// A transaction that reads one snapshot of the store on its own connection; it has one reader at a time.
final class PostgreSQLLease: Sendable {
    private enum Phase { case open, ended, closed }

    // SAFETY: the reader uses the connection; without a reader it is used under the state's lock only.
    private struct State: @unchecked Sendable {
        var phase = Phase.open
        var connection: PostgreSQLConnection?
        var isInUse = false

        mutating func takeConnection() -> PostgreSQLConnection? {
            defer { connection = nil }
            return connection
        }
    }

    private let pool: PostgreSQLPool
    private let state: Guarded<State>
    private let turn = Guarded(())
    /// The number of the thread that reads, or 0.
    private let owner = Atomic<UInt>(0)
    private let hasEnded = Atomic<Bool>(false)
    /// The count of snapshots that use the lease.
    private let shares = Atomic<Int>(1)

    /// Creates a lease that reads the current state of the store, or a snapshot that another lease has exported.
    init(_ pool: PostgreSQLPool, _ generation: PostgreSQLGeneration?, snapshot: String? = nil) throws {
        self.pool = pool
        let connection = try pool.borrow()
        do {
            var beginning = PostgreSQLStore.beginning(generation)
            // The server chose the name of the snapshot, which consists of letters, digits and hyphens. The statement
            // must precede the first read.
            if let snapshot { beginning.insert("SET TRANSACTION SNAPSHOT '\(snapshot)'", at: 1) }
            _ = try connection.naming(generation) { try connection.executeAll(beginning) }
        } catch {
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

    var isReadByThisThread: Bool { owner.load(ordering: .relaxed) == WriterLock.currentThreadNumber }

    /// Runs `body` with the connection; returns `nil` if the lease has ended.
    func withConnection<Result: Sendable>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result? {
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

    /// Throws an error if the lease ended while a body was running.
    func checkContinuation() throws {
        guard hasEnded.load(ordering: .relaxed) else { return }
        try state.withLock { try check($0.phase) }
        throw PersistenceError.snapshotClosed
    }

    private func check(_ phase: Phase) throws {
        guard case .closed = phase else { return }
        throw PersistenceError(.closed, "the store was closed while its rows were read")
    }

    private func begin() throws -> PostgreSQLConnection? {
        try state.withLock { state in
            try check(state.phase)
            guard case .open = state.phase else { return nil }
            state.isInUse = true
            return state.connection
        }
    }

    private func finish() {
        let ended = state.withLock { state -> PostgreSQLConnection? in
            state.isInUse = false
            return state.phase == .open ? nil : state.takeConnection()
        }
        if let ended { pool.release(ended) }
    }

    /// Sets the count of snapshots that use the lease; the last call of ``leave()`` ends it.
    func share(by count: Int) { shares.store(count, ordering: .relaxed) }

    /// Removes one snapshot, and releases the connection if no other snapshot uses the lease.
    func leave() {
        if shares.subtract(1, ordering: .relaxed).newValue <= 0 { end() }
    }

    /// Releases the connection because the store is closed.
    func invalidate() { end(.closed) }

    /// Releases the connection.
    func end() { end(.ended) }

    private func end(_ phase: Phase) {
        let connection = state.withLock { state -> PostgreSQLConnection? in
            guard case .open = state.phase else { return nil }
            state.phase = phase
            hasEnded.store(true, ordering: .relaxed)
            return state.isInUse ? nil : state.takeConnection()
        }
        if let connection { pool.release(connection) }
    }
}
#endif
