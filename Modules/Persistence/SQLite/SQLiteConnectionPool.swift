import Foundation
import StrataCore

/// The connections that read, borrowed by one caller at a time.
final class SQLiteConnectionPool: Sendable {
    /// How many idle connections are kept; more are made when more threads read at once.
    private static let maximumIdle = 4

    private struct State {
        var idle: [SQLiteConnection] = []
        var isClosed = false
        /// Connections that are held for longer than a call; who holds them is told when the store closes.
        var leases: [ObjectIdentifier: WeakLease] = [:]
        /// Kept until everything else is closed, because the last connection to close writes the log back.
        var last: SQLiteConnection?
        /// Kept as long as a connection is open.
        var registration: SQLiteOpenFiles.Registration?
    }

    private struct WeakLease {
        weak var lease: SQLiteLease?
    }

    private let path: String
    private let access: SQLiteConnection.Access
    private let busyTimeout: Duration
    private let state: Guarded<State>
    private let borrowed = DispatchGroup()
    /// What the file and its log were when it was opened without locks.
    private let stamp: [Int64]?

    init(
        path: String, access: SQLiteConnection.Access, busyTimeout: Duration, first: SQLiteConnection,
        registration: SQLiteOpenFiles.Registration?
    ) {
        stamp = access == .immutable ? Self.stamp(of: path) : nil
        self.path = path
        self.access = access
        self.busyTimeout = busyTimeout
        state = Guarded(State(idle: [first], registration: registration))
    }

    func makeConnection() throws -> SQLiteConnection {
        try SQLiteConnection(path: path, access: access, busyTimeout: busyTimeout)
    }

    /// Whether the file may be locked for writing.
    var isWritable: Bool { access == .readWrite }

    func withConnection<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        let connection = try borrow()
        defer { giveBack(connection) }
        do {
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

    func borrow() throws -> SQLiteConnection {
        let idle = try state.withLock { state -> SQLiteConnection? in
            guard !state.isClosed else { throw PersistenceError(.closed, "the store was closed", path: path) }
            borrowed.enter()
            return state.idle.popLast()
        }
        if let idle { return idle }
        do {
            return try makeConnection()
        } catch {
            borrowed.leave()
            throw error
        }
    }

    func giveBack(_ connection: SQLiteConnection) {
        state.withLock { state in
            if state.isClosed {
                if state.last == nil { state.last = connection } else { connection.close() }
            } else if state.idle.count < Self.maximumIdle {
                state.idle.append(connection)
            } else {
                connection.close()
            }
        }
        borrowed.leave()
    }

    func register(_ lease: SQLiteLease) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.leases[ObjectIdentifier(lease)] = WeakLease(lease: lease) }
            return state.isClosed
        }
        // The pool was closed after the connection was borrowed, and waits for it.
        if isClosed { lease.invalidate() }
    }

    func unregister(_ lease: ObjectIdentifier) {
        _ = state.withLock { $0.leases.removeValue(forKey: lease) }
    }

    /// Refuses new callers, takes held connections back and waits for the callers under way.
    func close() {
        let leases = state.withLock { state in
            state.isClosed = true
            return state.leases.values.compactMap(\.lease)
        }
        for lease in leases { lease.invalidate() }
        borrowed.wait()
        state.withLock { state in
            for connection in state.idle {
                if state.last == nil { state.last = connection } else { connection.close() }
            }
            state.idle = []
        }
    }

    /// Closes the connection that was kept for the end.
    func closeLast() {
        state.withLock { state in
            state.last?.close()
            state.last = nil
            state.registration = nil
        }
    }
}
