#if PostgreSQL
import StrataCore
import Synchronization

/// One state of the store on a connection of its own, for as long as somebody reads it; one reader at a time.
final class PostgreSQLLease: Sendable {
    private enum Phase { case open, ended, closed }

    // SAFETY: the connection is used by whoever reads, or, while nobody does, under the state's lock.
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
    /// The thread that reads; 0 when none does.
    private let owner = Atomic<UInt>(0)
    private let hasEnded = Atomic<Bool>(false)
    /// How many snapshots show the state.
    private let shares = Atomic<Int>(1)

    /// Begins to read the state of this moment, or one that another lease has exported.
    init(_ pool: PostgreSQLPool, _ generation: PostgreSQLGeneration?, snapshot: String? = nil) throws {
        self.pool = pool
        let connection = try pool.borrow()
        do {
            var beginning = PostgreSQLStore.beginning(generation)
            // The server's own name for it: letters, digits and dashes. Set before anything is read.
            if let snapshot { beginning.insert("SET TRANSACTION SNAPSHOT '\(snapshot)'", at: 1) }
            _ = try connection.naming(generation) { try connection.executeAll(beginning) }
        } catch {
            pool.giveBack(connection)
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

    /// Lends the connection for the time of `body`; `nil` where the lease has ended.
    func withConnection<Result: Sendable>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result? {
        guard !isReadByThisThread else {
            throw PersistenceError(
                .invalidRequest,
                "the snapshot is being read on this thread; ask it before or after, or read another one")
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

    /// Throws where the lease has ended while a body was running.
    func checkGoingOn() throws {
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
        if let ended { pool.giveBack(ended) }
    }

    /// Shows the state to so many, until the last one leaves.
    func share(by count: Int) { shares.store(count, ordering: .relaxed) }

    /// Gives the connection back, where nobody else is shown the state.
    func leave() {
        if shares.subtract(1, ordering: .relaxed).newValue <= 0 { end() }
    }

    /// Gives the connection back, as its store is closed.
    func invalidate() { end(.closed) }

    /// Gives the connection back.
    func end() { end(.ended) }

    private func end(_ phase: Phase) {
        let connection = state.withLock { state -> PostgreSQLConnection? in
            guard case .open = state.phase else { return nil }
            state.phase = phase
            hasEnded.store(true, ordering: .relaxed)
            return state.isInUse ? nil : state.takeConnection()
        }
        if let connection { pool.giveBack(connection) }
    }
}
#endif
