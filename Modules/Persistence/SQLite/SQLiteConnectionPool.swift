import StrataCore
import StrataSQL

/// A pool of the connections that read a store's file; if the file is read without locks, the pool checks after each
/// read that it has not changed.
final class SQLiteConnectionPool: Sendable {
    let connections: ConnectionPool<SQLiteConnection>
    private let path: String
    private let access: SQLiteConnection.Access
    /// The status of the file and its log when the store was opened; `nil` if the file is read with locks.
    private let stamp: [Int64]?

    /// Creates a pool; if `generation` is `nil`, its connections do not check that the store is still the same.
    init(
        path: String, access: SQLiteConnection.Access, busyTimeout: Duration, first: SQLiteConnection,
        generation: SQLiteGeneration? = nil, registration: SQLiteOpenFiles.Registration?
    ) {
        stamp = access == .immutable ? Self.stamp(of: path) : nil
        (self.path, self.access) = (path, access)
        first.generation = generation
        var settings = ConnectionPool<SQLiteConnection>.Settings(location: path) {
            let connection = try SQLiteConnection(path: path, access: access, busyTimeout: busyTimeout)
            connection.generation = generation
            return connection
        }
        settings.maximumIdle = 4
        connections = ConnectionPool(settings, first: first, registration: registration)
    }

    /// A Boolean value that indicates whether the connections may lock the file for writing.
    var isWritable: Bool { access == .readWrite }

    /// Runs `body` with a connection of the pool.
    ///
    /// - Parameters:
    ///   - keepsPages: A Boolean value that indicates whether the connection gets a large page cache, because the same
    ///     data is likely to be read again.
    ///   - body: A closure that uses the connection.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or ``PersistenceError`` if no connection can be opened or if a file that is read
    ///   without locks has changed meanwhile.
    func withConnection<Result>(
        keepsPages: Bool = false, _ body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        try connections.withConnection { connection in
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
    }

    /// Throws if the file is read without locks and has changed since the store was opened, because the data that was
    /// read may be inconsistent.
    func checkUnchanged() throws {
        guard let stamp, stamp != Self.stamp(of: path) else { return }
        throw PersistenceError(
            .locked, "the store was written while it was read, and this process may not lock it; try again", path: path)
    }

    private static func stamp(of path: String) -> [Int64] {
        (FileStatus(path: path)?.stamp ?? []) + [FileStatus(path: path + "-wal")?.byteCount ?? 0]
    }
}

extension SQLiteConnection: PooledConnection {
    var isUsable: Bool { true }
    var isStillConnected: Bool { true }
}
