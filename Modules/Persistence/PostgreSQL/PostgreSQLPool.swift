#if PostgreSQL
import Dispatch
import StrataCore

/// The connection pool of a store.
///
/// It hands each connection to one borrower at a time, retains unused connections, and limits their count.
final class PostgreSQLPool: Sendable {
    private enum Phase { case open, closing, closed }

    // SAFETY: only the borrower uses a borrowed connection; the state's lock guards the list of the idle ones.
    private struct State: @unchecked Sendable {
        var phase = Phase.open
        var idle: [PostgreSQLConnection] = []
        var borrowedCount = 0
        /// The numbers of the threads that borrow connections for the duration of a call.
        var threads: [UInt] = []
        var leases: [ObjectIdentifier: WeakLease] = [:]

        mutating func closeIfUnused() {
            guard case .closing = phase, borrowedCount == 0 else { return }
            for connection in idle { connection.close() }
            (idle, leases) = ([], [:])
            phase = .closed
        }
    }

    private struct WeakLease {
        weak var lease: PostgreSQLLease?
    }

    let settings: PostgreSQLSettings
    private let state: Guarded<State>
    /// The semaphore that limits the count of borrowed connections.
    private let places: DispatchSemaphore
    private let borrowed = DispatchGroup()

    init(_ settings: PostgreSQLSettings, first: PostgreSQLConnection) {
        self.settings = settings
        state = Guarded(State(idle: [first]))
        places = DispatchSemaphore(value: settings.poolSize)
    }

    var closedError: PersistenceError { PersistenceError(.closed, "the store was closed", path: settings.location) }

    /// Runs a read-only query without a check of the connection, and retries it if the connection was lost.
    ///
    /// The check is a system call, and a read of one row needs few other system calls.
    func answer<Answer>(_ ask: (PostgreSQLConnection) throws -> Answer) throws -> Answer {
        do {
            return try withConnection(isLookedAt: false) { connection in
                do { return try ask(connection) } catch {
                    guard connection.isLost else { throw error }
                    throw Lost()
                }
            }
        } catch is Lost {
            return try withConnection(ask)
        }
    }

    /// The error that reports a lost connection.
    private struct Lost: Error {}

    /// Runs `body` with a borrowed connection.
    func withConnection<Result>(
        isLookedAt: Bool = true, _ body: (PostgreSQLConnection) throws -> Result
    ) throws -> Result {
        let thread = WriterLock.currentThreadNumber
        let connection = try borrow(on: thread, isLookedAt: isLookedAt)
        defer { release(connection, on: thread) }
        return try body(connection)
    }

    /// Borrows a connection until ``release(_:on:)`` returns it.
    ///
    /// - Parameters:
    ///   - thread: The thread that borrows the connection for the duration of a call.
    ///   - isLookedAt: A Boolean value that indicates whether the pool checks that the server has not ended the
    ///     connection.
    /// - Returns: A connection.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` if no connection became free in time.
    func borrow(on thread: UInt? = nil, isLookedAt: Bool = true) throws -> PostgreSQLConnection {
        // The deadline is in the past, because a read of the clock takes longer than the rest of this method.
        if places.wait(timeout: DispatchTime(uptimeNanoseconds: 1)) != .success { try waitForPlace() }
        var idle: PostgreSQLConnection?
        do { idle = try enter(thread) } catch {
            places.signal()
            throw error
        }
        do {
            // The checks of a connection run outside the lock, so that other threads do not wait for their system
            // calls.
            while let connection = idle {
                if connection.isUsable, !isLookedAt || connection.isStillConnected { return connection }
                connection.close()
                idle = state.withLock { $0.idle.popLast() }
            }
            return try settings.connect()
        } catch {
            leave(with: nil, thread)
            throw error
        }
    }

    private func waitForPlace() throws {
        try checkOpen()
        guard places.wait(timeout: settings.poolDeadline) != .success else { return }
        throw PersistenceError(
            .locked,
            "all \(settings.poolSize) connections to the server are in use, and none became free in time; "
                + "close snapshots and cursors, or allow more", path: settings.location)
    }

    /// - Returns: An idle connection, or `nil` if there is none.
    private func enter(_ thread: UInt?) throws -> PostgreSQLConnection? {
        try state.withLock { state in
            guard case .open = state.phase else { throw closedError }
            borrowed.enter()
            state.borrowedCount += 1
            if let thread { state.threads.append(thread) }
            return state.idle.popLast()
        }
    }

    func release(_ connection: PostgreSQLConnection, on thread: UInt? = nil) {
        connection.rollBack()
        let isUsable = connection.isUsable
        if !isUsable { connection.close() }
        leave(with: isUsable ? connection : nil, thread)
    }

    private func leave(with connection: PostgreSQLConnection?, _ thread: UInt?) {
        state.withLock { state in
            state.borrowedCount -= 1
            if let thread, let index = state.threads.lastIndex(of: thread) { state.threads.remove(at: index) }
            if let connection { state.idle.append(connection) }
            state.closeIfUnused()
        }
        borrowed.leave()
        places.signal()
    }

    func register(_ lease: PostgreSQLLease) {
        let isOpen = state.withLock { state in
            guard case .open = state.phase else { return false }
            state.leases[ObjectIdentifier(lease)] = WeakLease(lease: lease)
            return true
        }
        // The pool was closed after the lease borrowed its connection, and waits for the connection.
        if !isOpen { lease.invalidate() }
    }

    func unregister(_ lease: ObjectIdentifier) {
        _ = state.withLock { $0.leases.removeValue(forKey: lease) }
    }

    func checkOpen() throws {
        try state.withLock { state in
            guard case .open = state.phase else { throw closedError }
        }
    }

    /// Stops handing out connections.
    func beginClosing() {
        state.withLock { state in
            if case .open = state.phase { state.phase = .closing }
        }
    }

    /// Waits until all connections are returned, unless this thread uses one, and closes them.
    func close() {
        beginClosing()
        let thread = WriterLock.currentThreadNumber
        let (leases, isInside) = state.withLock { state in
            (state.leases.values.compactMap(\.lease), state.threads.contains(thread))
        }
        let isReading = leases.contains { $0.isReadByThisThread }
        for lease in leases { lease.invalidate() }
        state.withLock { $0.closeIfUnused() }
        if !isInside && !isReading { borrowed.wait() }
    }
}
#endif
