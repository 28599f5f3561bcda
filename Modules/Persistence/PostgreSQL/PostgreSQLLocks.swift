#if PostgreSQL
import StrataCore
import StrataSQL

/// The advisory locks of a whole store, named by its schema in the database.
///
/// Source: postgresql.org/docs/15/functions-admin.html#FUNCTIONS-ADVISORY-LOCKS.
extension PostgreSQLSettings {
    /// Returns a statement that takes the store's write lock, in shared or exclusive mode, until the transaction ends.
    ///
    /// The statement waits for the lock. It also returns the given columns.
    func lock(_ writing: PostgreSQLStore.Writing, alongside columns: [String] = []) -> String {
        let function =
            switch writing {
            case .shared: "pg_advisory_xact_lock_shared"
            case .alone: "pg_advisory_xact_lock"
            }
        let name = ("strata " + schema).replacing("'", by: "''")
        return "SELECT \((["\(function)(hashtextextended('\(name)', 0))"] + columns).joined(separator: ", "))"
    }

    /// Returns statements that begin a writing transaction, take the store's write lock, and return the given columns.
    func beginning(_ writing: PostgreSQLStore.Writing, alongside columns: [String]) -> [String] {
        [PostgreSQLConnection.beginning(isReadOnly: false), lock(writing, alongside: columns)]
    }
}

extension PostgreSQLConnection {
    /// Takes the lock that marks the store as open, until the connection ends.
    func lockAsOpen(_ schema: String) throws {
        try run("SELECT pg_advisory_lock_shared(hashtextextended($1, 0))", .string("strata open " + schema))
    }

    /// The maximum wait for the end of closed connections, which the server notices slightly later than the client.
    private static let closingTime = "1s"

    /// Keeps other connections from opening the store until the transaction ends.
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
