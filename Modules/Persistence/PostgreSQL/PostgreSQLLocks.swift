#if PostgreSQL
import StrataCore
import StrataSQL

/// The locks of a store as a whole: advisory ones, named by its schema in this database
/// (postgresql.org/docs/15/functions-admin.html#FUNCTIONS-ADVISORY-LOCKS).
extension PostgreSQLSettings {
    /// A statement that waits until the store's writing can be shared, or is this transaction's alone, until its end; it gives columns beside that.
    func lock(_ writing: PostgreSQLStore.Writing, beside columns: [String] = []) -> String {
        let function =
            switch writing {
            case .shared: "pg_advisory_xact_lock_shared"
            case .alone: "pg_advisory_xact_lock"
            }
        let name = ("strata " + schema).replacing("'", by: "''")
        return "SELECT \((["\(function)(hashtextextended('\(name)', 0))"] + columns).joined(separator: ", "))"
    }

    /// What begins a transaction that writes, and gives columns beside its lock.
    func beginning(_ writing: PostgreSQLStore.Writing, beside columns: [String]) -> [String] {
        [PostgreSQLConnection.beginning(isReadOnly: false), lock(writing, beside: columns)]
    }
}

extension PostgreSQLConnection {
    /// Says that the store is open, until the connection ends.
    func holdOpen(_ schema: String) throws {
        try run("SELECT pg_advisory_lock_shared(hashtextextended($1, 0))", .string("strata open " + schema))
    }

    /// How long to wait for the end of connections that were closed: the server notices it a little later than who has closed them.
    private static let closingTime = "1s"

    /// Keeps everybody from opening the store, until the transaction ends.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` where somebody has it open.
    func holdClosed(_ schema: String) throws {
        let usual = try text("SELECT current_setting('lock_timeout')") ?? "0"
        func wait(_ time: String) throws { try run("SELECT set_config('lock_timeout', $1, true)", .string(time)) }
        try wait(Self.closingTime)
        do {
            try run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", .string("strata open " + schema))
        } catch let error as PersistenceError where error.code == .locked {
            throw PersistenceError(.locked, "somebody has the store open", path: place)
        }
        try wait(usual)
    }
}
#endif
