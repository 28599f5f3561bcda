#if PostgreSQL
import Dispatch
import StrataCore

/// The connections of a store: lent to one borrower at a time, kept while nobody needs them, never more than were allowed.
final class PostgreSQLPool: Sendable {
    private enum Phase { case open, closing, closed }

    // SAFETY: connections are used by whoever has borrowed them; the state's lock guards the list of the others.
    private struct State: @unchecked Sendable {
        var phase = Phase.open
        var idle: [PostgreSQLConnection] = []
        var borrowedCount = 0
        /// The threads on which connections are borrowed for the time of a call.
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
    /// As many as connections may be borrowed at once.
    private let places: DispatchSemaphore
    private let borrowed = DispatchGroup()

    init(_ settings: PostgreSQLSettings, first: PostgreSQLConnection) {
        self.settings = settings
        state = Guarded(State(idle: [first]))
        places = DispatchSemaphore(value: settings.poolSize)
    }

    var closedError: PersistenceError { PersistenceError(.closed, "the store was closed", path: settings.location) }

    /// Asks what changes nothing, without a look whether the connection still holds: where it does not, another one is asked.
    ///
    /// The look is a call of the system's, and what is read of one row takes few of them.
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

    /// A connection did not hold.
    private struct Lost: Error {}

    /// Lends a connection for the time of `body`.
    func withConnection<Result>(
        isLookedAt: Bool = true, _ body: (PostgreSQLConnection) throws -> Result
    ) throws -> Result {
        let thread = WriterLock.currentThreadNumber
        let connection = try borrow(on: thread, isLookedAt: isLookedAt)
        defer { giveBack(connection, on: thread) }
        return try body(connection)
    }

    /// Lends a connection until it is given back.
    ///
    /// - Parameters:
    ///   - thread: The thread that has it for the time of a call.
    ///   - isLookedAt: Whether one that the server has ended meanwhile is not lent.
    /// - Returns: A connection.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` where none became free in time.
    func borrow(on thread: UInt? = nil, isLookedAt: Bool = true) throws -> PostgreSQLConnection {
        // A time that is past: a look at the clock takes longer than all of this.
        if places.wait(timeout: DispatchTime(uptimeNanoseconds: 1)) != .success { try waitForPlace() }
        var idle: PostgreSQLConnection?
        do { idle = try enter(thread) } catch {
            places.signal()
            throw error
        }
        do {
            // The server and libpq are not asked under the lock: others would wait for the system's calls.
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

    /// - Returns: A connection that nobody uses, where there is one.
    private func enter(_ thread: UInt?) throws -> PostgreSQLConnection? {
        try state.withLock { state in
            guard case .open = state.phase else { throw closedError }
            borrowed.enter()
            state.borrowedCount += 1
            if let thread { state.threads.append(thread) }
            return state.idle.popLast()
        }
    }

    func giveBack(_ connection: PostgreSQLConnection, on thread: UInt? = nil) {
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
        // The pool was closed after the connection was borrowed, and waits for it.
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

    /// Lends nothing any more.
    func beginClosing() {
        state.withLock { state in
            if case .open = state.phase { state.phase = .closing }
        }
    }

    /// Waits until every connection is given back, unless this thread has one, and closes them.
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
