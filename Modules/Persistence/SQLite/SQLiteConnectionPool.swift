import Foundation
import StrataCore

/// The connections that read, borrowed by one caller at a time, and the life cycle of their store.
final class SQLiteConnectionPool: Sendable {
    /// How many idle connections are kept; more are made when more threads read at once.
    private static let maximumIdle = 4

    /// The one life cycle of a store: whoever asks for a connection, be it to write, asks here first.
    fileprivate enum Phase {
        case open
        /// Nobody new is let in; who gives the last connection back closes it.
        case closing
        case closed
    }

    fileprivate struct State {
        var phase = Phase.open
        var idle: [SQLiteConnection] = []
        /// Connections that somebody has.
        var borrowedCount = 0
        /// The threads that are inside a call, each as often as it is.
        var threads: [UInt] = []
        /// Connections that are held for longer than a call; who holds them is told when the store closes.
        var leases: [ObjectIdentifier: WeakLease] = [:]
        /// Kept as long as a connection is open.
        var registration: SQLiteOpenFiles.Registration?
    }

    fileprivate struct WeakLease {
        weak var lease: SQLiteLease?
    }

    private let path: String
    private let access: SQLiteConnection.Access
    private let busyTimeout: Duration
    /// What the store was when it was opened; `nil` where nobody minds what it is.
    private let generation: SQLiteGeneration?
    private let state: Guarded<State>
    private let borrowed = DispatchGroup()
    /// What the file and its log were when it was opened without locks.
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

    /// Whether the file may be locked for writing.
    var isWritable: Bool { access == .readWrite }

    /// Runs `body` with a connection, under no lock: it is the caller's code, and may close the store.
    ///
    /// - Parameters:
    ///   - keepsPages: Whether what is read is likely to be asked for again.
    ///   - body: Uses the connection.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``PersistenceError`` where there is no connection, or what was read is no state of the file.
    func withConnection<Result>(
        keepsPages: Bool = false, _ body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        let thread = WriterLock.currentThreadNumber
        let connection = try borrow(on: thread)
        defer { giveBack(connection, on: thread) }
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

    /// A file that is read without locks must be the same before and after, or what was read is no state of it.
    func checkUnchanged() throws {
        guard let stamp, stamp != Self.stamp(of: path) else { return }
        throw PersistenceError(
            .locked, "the store was written while it was read, and this process may not lock it; try again", path: path)
    }

    private static func stamp(of path: String) -> [Int64] {
        (FileStatus(path: path)?.stamp ?? []) + [FileStatus(path: path + "-wal")?.byteCount ?? 0]
    }

    /// Takes a connection, to be given back.
    ///
    /// - Parameter thread: The thread that is inside a call until then, where it is one call.
    /// - Returns: The connection.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed``, or why there is no connection.
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

    func giveBack(_ connection: SQLiteConnection, on thread: UInt? = nil) { leave(with: connection, thread) }

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

    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed`` when the store closes or was closed.
    func checkOpen() throws {
        try state.withLock { state in
            guard case .open = state.phase else { throw closedError }
        }
    }

    /// Refuses new callers.
    func beginClosing() {
        state.withLock { state in
            if case .open = state.phase { state.phase = .closing }
        }
    }

    /// Refuses new callers, takes held connections back and waits for the callers under way.
    ///
    /// On a thread that is inside a call itself nothing is waited for: the last caller to leave closes the connections.
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
    /// Ends the closing when nobody has a connection any more; the last one to close writes the log back.
    fileprivate mutating func closeIfUnused() {
        guard case .closing = phase, borrowedCount == 0 else { return }
        for connection in idle { connection.close() }
        (idle, leases, registration) = ([], [:], nil)
        phase = .closed
    }
}
