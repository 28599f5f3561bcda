import Foundation
import StrataCore

/// The connections that read, each of which one caller uses at a time, and the life cycle of their store.
final class SQLiteConnectionPool: Sendable {
    /// The maximum count of idle connections; the pool creates more if more threads read at the same time.
    private static let maximumIdle = 4

    /// The phase of the store's life cycle, which the pool checks before it provides a connection, even for writing.
    fileprivate enum Phase {
        case open
        /// The pool provides no more connections; the last caller that returns a connection closes it.
        case closing
        case closed
    }

    fileprivate struct State {
        var phase = Phase.open
        var idle: [SQLiteConnection] = []
        /// The count of connections that callers use.
        var borrowedCount = 0
        /// The threads that are inside a call; a thread is listed once for each of its nested calls.
        var threads: [UInt] = []
        /// The leases of connections that are held longer than a call; the pool notifies them when the store closes.
        var leases: [ObjectIdentifier: WeakLease] = [:]
        /// The registration of the open file, which is retained while a connection is open.
        var registration: SQLiteOpenFiles.Registration?
    }

    fileprivate struct WeakLease {
        weak var lease: SQLiteLease?
    }

    private let path: String
    private let access: SQLiteConnection.Access
    private let busyTimeout: Duration
    /// The identity of the store when it was opened; `nil` if the pool does not need to detect its replacement.
    private let generation: SQLiteGeneration?
    private let state: Guarded<State>
    private let borrowed = DispatchGroup()
    /// The status of the file and its log at the opening, if the file is read without locks.
    private let stamp: [Int64]?

    init(
        path: String, access: SQLiteConnection.Access, busyTimeout: Duration, first: SQLiteConnection,
        generation: SQLiteGeneration? = nil, registration: SQLiteOpenFiles.Registration?
    ) {
        stamp = access == .immutable ? Self.stamp(of: path) : nil
        self.path = path
        self.access = access
        self.busyTimeout = busyTimeout
        self.generation = generation
        first.generation = generation
        state = Guarded(State(idle: [first], registration: registration))
    }

    func makeConnection() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, access: access, busyTimeout: busyTimeout)
        connection.generation = generation
        return connection
    }

    /// A Boolean value that indicates whether the file may be locked for writing.
    var isWritable: Bool { access == .readWrite }

    /// Runs `body` with a connection, without a lock, because `body` is the caller's code and may close the store.
    ///
    /// - Parameters:
    ///   - keepsPages: A Boolean value that indicates whether the same data are likely to be read again.
    ///   - body: Uses the connection.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`. ``PersistenceError`` if there is no connection, or if the file changed while it
    ///   was read without locks.
    func withConnection<Result>(
        keepsPages: Bool = false, _ body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        let thread = WriterLock.currentThreadNumber
        let connection = try borrow(on: thread)
        defer { release(connection, on: thread) }
        do {
            if keepsPages { try connection.keepPages() }
            let result = try body(connection)
            try checkUnchanged()
            return result
        } catch {
            try checkUnchanged()
            throw error
        }
    }

    /// Throws if a file that is read without locks has changed, because the data may then be inconsistent.
    func checkUnchanged() throws {
        guard let stamp, stamp != Self.stamp(of: path) else { return }
        throw PersistenceError(
            .locked, "the store was written while it was read, and this process may not lock it; try again", path: path)
    }

    private static func stamp(of path: String) -> [Int64] {
        (FileStatus(path: path)?.stamp ?? []) + [FileStatus(path: path + "-wal")?.byteCount ?? 0]
    }

    /// Borrows a connection, which the caller must return.
    ///
    /// - Parameter thread: The thread that is inside a call until then, if the connection is for one call.
    /// - Returns: The connection.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed``, or the error of the opening of a
    ///   connection.
    func borrow(on thread: UInt? = nil) throws -> SQLiteConnection {
        let idle = try state.withLock { state -> SQLiteConnection? in
            guard case .open = state.phase else { throw closedError }
            borrowed.enter()
            state.borrowedCount += 1
            if let thread { state.threads.append(thread) }
            return state.idle.popLast()
        }
        if let idle { return idle }
        do {
            return try makeConnection()
        } catch {
            leave(with: nil, thread)
            throw error
        }
    }

    func release(_ connection: SQLiteConnection, on thread: UInt? = nil) { leave(with: connection, thread) }

    private func leave(with connection: SQLiteConnection?, _ thread: UInt?) {
        state.withLock { state in
            state.borrowedCount -= 1
            if let thread, let index = state.threads.lastIndex(of: thread) { state.threads.remove(at: index) }
            if let connection { state.idle.append(connection) }
            if state.idle.count > Self.maximumIdle, case .open = state.phase { state.idle.removeLast().close() }
            state.closeIfUnused()
        }
        borrowed.leave()
    }

    func register(_ lease: SQLiteLease) {
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

    // MARK: Closing

    private var closedError: PersistenceError { PersistenceError(.closed, "the store was closed", path: path) }

    /// Throws if the store is closing or closed.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed``.
    func checkOpen() throws {
        try state.withLock { state in
            guard case .open = state.phase else { throw closedError }
        }
    }

    /// Rejects new callers.
    func beginClosing() {
        state.withLock { state in
            if case .open = state.phase { state.phase = .closing }
        }
    }

    /// Rejects new callers, revokes leased connections, and waits for running callers.
    ///
    /// On a thread that is inside a call itself, the method does not wait. The last running caller then closes the
    /// connections.
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

extension SQLiteConnectionPool.State {
    /// Completes the closing if no connection is in use; the last connection that closes writes the log into the file.
    fileprivate mutating func closeIfUnused() {
        guard case .closing = phase, borrowedCount == 0 else { return }
        for connection in idle { connection.close() }
        (idle, leases, registration) = ([], [:], nil)
        phase = .closed
    }
}
