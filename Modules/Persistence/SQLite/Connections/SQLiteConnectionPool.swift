import StrataCore
import StrataFiles
import StrataSQL

/// The connections that read a file; a file that cannot be locked is checked for changes after each read.
final class SQLiteConnectionPool: Sendable {
    let connections: ConnectionPool<SQLiteConnection>
    private let path: String
    private let access: SQLiteConnection.Access
    private let busyTimeout: Duration
    /// The status of the file and its log at the opening, if the file is read without locks.
    private let stamp: [Int64]?

    /// Creates a pool.
    ///
    /// The generation is the identity of the store when it was opened, or `nil` if the pool does not need to detect the
    /// replacement of the store.
    init(
        path: String, access: SQLiteConnection.Access, busyTimeout: Duration, first: SQLiteConnection,
        generation: SQLiteGeneration? = nil, registration: SQLiteOpenFiles.Registration?
    ) {
        stamp = access == .immutable ? Self.stamp(of: path) : nil
        (self.path, self.access, self.busyTimeout) = (path, access, busyTimeout)
        first.generation = generation
        var settings = ConnectionPool<SQLiteConnection>.Settings(location: path) {
            let connection = try SQLiteConnection(path: path, access: access, busyTimeout: busyTimeout)
            connection.generation = generation
            return connection
        }
        settings.maximumIdle = 4
        connections = ConnectionPool(settings, first: first, registration: registration)
    }

    /// A Boolean value that indicates whether the file is read without locks, so that commits of others are not
    /// noticed.
    var isImmutable: Bool { access == .immutable }

    /// A Boolean value that indicates whether the file may be locked for writing.
    var isWritable: Bool { access == .readWrite }

    /// Runs `body` with a connection.
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

    /// Returns a new connection outside the pool, which the caller closes.
    func separateConnection() throws -> SQLiteConnection {
        try SQLiteConnection(path: path, access: access, busyTimeout: busyTimeout)
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
}

extension SQLiteConnection: PooledConnection {
    var isUsable: Bool { true }
    var isStillConnected: Bool { true }
}
