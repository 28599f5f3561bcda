#if PostgreSQL
import StrataCore
import StrataSQL

/// The mode in which a writing transaction takes the store's write lock.
enum PostgreSQLWriteLock {
    /// Other transactions can write other rows at the same time.
    case shared
    /// No other transaction can write.
    case alone
}

/// The advisory locks of a store, whose numbers are derived from the name of the store's schema.
///
/// Source: postgresql.org/docs/15/functions-admin.html#FUNCTIONS-ADVISORY-LOCKS.
extension PostgreSQLSettings {
    /// Returns a statement that waits for the store's write lock, in shared or exclusive mode, and locks it until the
    /// transaction ends.
    ///
    /// The result row of the statement contains `columns`.
    func lock(_ writing: PostgreSQLWriteLock, alongside columns: [String] = []) -> String {
        let function =
            switch writing {
            case .shared: "pg_advisory_xact_lock_shared"
            case .alone: "pg_advisory_xact_lock"
            }
        let name = ("strata " + schema).replacing("'", by: "''")
        return "SELECT \((["\(function)(hashtextextended('\(name)', 0))"] + columns).joined(separator: ", "))"
    }

    /// Returns the statements that begin a writing transaction and take the store's write lock; the result row of the
    /// last one contains `columns`.
    func beginning(_ writing: PostgreSQLWriteLock, alongside columns: [String]) -> [String] {
        [PostgreSQLConnection.beginning(isReadOnly: false), lock(writing, alongside: columns)]
    }
}

extension PostgreSQLConnection {
    /// Takes the lock that marks the store as open, until the connection ends.
    func lockAsOpen(_ schema: String) throws {
        try run("SELECT pg_advisory_lock_shared(hashtextextended($1, 0))", .string("strata open " + schema))
    }

    /// The maximum time to wait until the server has noticed the end of connections that this process has closed.
    private static let closingTime = "1s"

    /// Prevents other connections from opening the store until the transaction ends.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` if another connection has the store
    ///   open.
    func lockAgainstOpening(_ schema: String) throws {
        let usual = try text("SELECT current_setting('lock_timeout')") ?? "0"
        func wait(_ time: String) throws { try run("SELECT set_config('lock_timeout', $1, true)", .string(time)) }
        try wait(Self.closingTime)
        do {
            try run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", .string("strata open " + schema))
        } catch let error as PersistenceError where error.code == .locked {
            throw PersistenceError(.locked, "another connection has the store open; close it and retry", path: place)
        }
        try wait(usual)
    }
}
#endif
