package import Dispatch
package import StrataCore
import StrataStoreKit

/// A connection that a pool provides to one borrower at a time.
package protocol PooledConnection: AnyObject {
    /// A Boolean value that indicates whether the connection can run statements.
    var isUsable: Bool { get }
    /// A Boolean value that indicates whether the server has not ended the connection; the check is a system call.
    var isStillConnected: Bool { get }
    /// Rolls back the current transaction, if there is one.
    func rollBack()
    func close()
}

/// The connections of a store and the life cycle of the store.
///
/// The pool provides each connection to one borrower at a time and retains unused connections.
package final class ConnectionPool<Connection: PooledConnection>: Sendable {
    /// The properties that differ between engines.
    package struct Settings: Sendable {
        /// The path or the server's address, for messages.
        package var location: String
        /// Opens a connection.
        package var connect: @Sendable () throws -> Connection
        /// The maximum count of idle connections.
        package var maximumIdle = Int.max
        /// The maximum count of borrowed connections; `nil` for any count.
        package var limit: Limit?

        package init(location: String, connect: @escaping @Sendable () throws -> Connection) {
            self.location = location
            self.connect = connect
        }
    }

    /// The maximum count of borrowed connections, and the wait for a free one.
    package struct Limit: Sendable {
        package var count: Int
        /// Returns the time at which a caller stops waiting.
        package var deadline: @Sendable () -> DispatchTime
        /// The advice in the error after the deadline.
        package var advice: String

        package init(count: Int, deadline: @escaping @Sendable () -> DispatchTime, advice: String) {
            (self.count, self.deadline, self.advice) = (count, deadline, advice)
        }
    }

    /// The phase of the store's life cycle, which the pool checks before it provides a connection.
    private enum Phase {
        case open
        /// The pool provides no more connections; the last borrower that returns a connection closes it.
        case closing
        case closed
    }

    // SAFETY: only the borrower uses a borrowed connection; the state's lock guards the idle ones.
    private struct State: @unchecked Sendable {
        var phase = Phase.open
        var idle: [Connection] = []
        var borrowedCount = 0
        /// The threads that are inside a call; a thread is listed once for each of its nested calls.
        var threads: [UInt] = []
        /// The leases of connections that are held longer than a call; the pool notifies them when the store closes.
        var leases: [ObjectIdentifier: WeakLease] = [:]
        /// An object that is retained while a connection is open.
        var registration: (any AnyObject & Sendable)?

        /// Completes the closing if no connection is in use; SQLite's last connection writes the log into the file.
        mutating func closeIfUnused() {
            guard case .closing = phase, borrowedCount == 0 else { return }
            for connection in idle { connection.close() }
            (idle, leases, registration) = ([], [:], nil)
            phase = .closed
        }
    }

    private struct WeakLease {
        weak var lease: ReadLease<Connection>?
    }

    private let settings: Settings
    private let state: Guarded<State>
    /// The semaphore that limits the count of borrowed connections.
    private let places: DispatchSemaphore?
    private let borrowed = DispatchGroup()

    /// Creates a pool.
    ///
    /// - Parameters:
    ///   - settings: The properties that differ between engines.
    ///   - first: The first idle connection.
    ///   - registration: An object that is retained until the last connection is closed.
    package init(_ settings: Settings, first: Connection, registration: (any AnyObject & Sendable)? = nil) {
        self.settings = settings
        places = settings.limit.map { DispatchSemaphore(value: $0.count) }
        state = Guarded(State(idle: [first], registration: registration))
    }

    package var closedError: PersistenceError {
        PersistenceError(.closed, "the store was closed", path: settings.location)
    }

    package func connect() throws -> Connection { try settings.connect() }

    /// Runs `body` with a borrowed connection, without a lock, because `body` is the caller's code and may close the
    /// store.
    ///
    /// - Parameters:
    ///   - isVerified: A Boolean value that indicates whether the pool checks that the server has not ended the
    ///     connection.
    ///   - body: Uses the connection.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or an error of ``borrow(on:isVerified:)``.
    package func withConnection<Result>(
        isVerified: Bool = true, _ body: (Connection) throws -> Result
    ) throws -> Result {
        let thread = WriterLock.currentThreadNumber
        let connection = try borrow(on: thread, isVerified: isVerified)
        defer { release(connection, on: thread) }
        return try body(connection)
    }

    /// Borrows a connection until ``release(_:on:)`` returns it.
    ///
    /// - Parameters:
    ///   - thread: The thread that is inside a call until then, if the connection is for one call.
    ///   - isVerified: A Boolean value that indicates whether the pool checks that the server has not ended the
    ///     connection.
    /// - Returns: The connection.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed``, or with code
    ///   ``PersistenceError/Code/locked`` if no connection became free in time, or the error of the opening.
    package func borrow(on thread: UInt? = nil, isVerified: Bool = true) throws -> Connection {
        try waitForPlace()
        var idle: Connection?
        do { idle = try enter(thread) } catch {
            places?.signal()
            throw error
        }
        do {
            // The checks of a connection run outside the lock, so that other threads do not wait for their system
            // calls.
            while let connection = idle {
                if connection.isUsable, !isVerified || connection.isStillConnected { return connection }
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
        guard let places, let limit = settings.limit else { return }
        // The deadline is in the past, because a read of the clock takes longer than the rest of `borrow`.
        if places.wait(timeout: DispatchTime(uptimeNanoseconds: 1)) == .success { return }
        try checkOpen()
        guard ConnectionWait.during({ places.wait(timeout: limit.deadline()) }) != .success else { return }
        throw PersistenceError(
            .locked,
            "all \(limit.count) connections to the server are in use, and none became free in time; \(limit.advice)",
            path: settings.location)
    }

    /// - Returns: An idle connection, or `nil` if there is none.
    private func enter(_ thread: UInt?) throws -> Connection? {
        try state.withLock { state in
            guard case .open = state.phase else { throw closedError }
            borrowed.enter()
            state.borrowedCount += 1
            if let thread { state.threads.append(thread) }
            return state.idle.popLast()
        }
    }

    package func release(_ connection: Connection, on thread: UInt? = nil) {
        connection.rollBack()
        let isUsable = connection.isUsable
        if !isUsable { connection.close() }
        leave(with: isUsable ? connection : nil, thread)
    }

    private func leave(with connection: Connection?, _ thread: UInt?) {
        state.withLock { state in
            state.borrowedCount -= 1
            if let thread, let index = state.threads.lastIndex(of: thread) { state.threads.remove(at: index) }
            if let connection { state.idle.append(connection) }
            if state.idle.count > settings.maximumIdle, case .open = state.phase { state.idle.removeLast().close() }
            state.closeIfUnused()
        }
        borrowed.leave()
        places?.signal()
    }

    func register(_ lease: ReadLease<Connection>) {
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

    /// Throws if the store is closing or closed.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed``.
    package func checkOpen() throws {
        try state.withLock { state in
            guard case .open = state.phase else { throw closedError }
        }
    }

    /// Rejects new borrowers.
    package func beginClosing() {
        state.withLock { state in
            if case .open = state.phase { state.phase = .closing }
        }
    }

    /// Rejects new borrowers, revokes leased connections, and waits for running calls.
    ///
    /// On a thread that is inside a call itself, the method does not wait. The last running call then closes the
    /// connections.
    package func close() {
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
