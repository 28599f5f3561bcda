#if PostgreSQL
import StrataCore
import StrataSQL

/// The connection pool of a store, and the settings of its connections.
final class PostgreSQLPool: Sendable {
    let settings: PostgreSQLSettings
    let connections: ConnectionPool<PostgreSQLConnection>

    init(_ settings: PostgreSQLSettings, first: PostgreSQLConnection) {
        self.settings = settings
        var pool = ConnectionPool<PostgreSQLConnection>.Settings(location: settings.location) {
            try settings.connect()
        }
        pool.limit = .init(
            count: settings.poolSize, deadline: { settings.poolDeadline },
            advice: "close snapshots and cursors, or allow more")
        connections = ConnectionPool(pool, first: first)
    }

    /// Runs a read-only query on a connection that is not checked before; if the connection was lost, repeats the query
    /// on another one.
    ///
    /// The omitted check would be a system call, and reading one row needs only few others.
    func answer<Answer>(_ ask: (PostgreSQLConnection) throws -> Answer) throws -> Answer {
        do {
            return try connections.withConnection(isVerified: false) { connection in
                do { return try ask(connection) } catch {
                    guard connection.isLost else { throw error }
                    throw Lost()
                }
            }
        } catch is Lost {
            return try connections.withConnection(ask)
        }
    }

    /// The error that reports a lost connection.
    private struct Lost: Error {}

    /// Runs `body` with a borrowed connection.
    func withConnection<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
        try connections.withConnection(body)
    }
}

extension PostgreSQLConnection: PooledConnection {}
#endif
