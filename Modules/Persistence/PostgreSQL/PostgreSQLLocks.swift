#if PostgreSQL
import StrataCore
import StrataSQL

/// The locks of a store as a whole: advisory ones, known by its schema's name in this database
/// (postgresql.org/docs/15/functions-admin.html#FUNCTIONS-ADVISORY-LOCKS), or one of a row of its own.
extension PostgreSQLSettings {
    private static let table = "strata_lock"

    /// A statement that waits until the store's writing can be shared, or is this transaction's alone, until its end; it gives columns beside that.
    func lock(_ writing: PostgreSQLStore.Writing, beside columns: [String] = []) -> String {
        guard server.capabilities.contains(.advisoryLocks) else {
            let strength =
                switch writing {
                case .shared: "SHARE"
                case .alone: "UPDATE"
                }
            return "SELECT \((["1"] + columns).joined(separator: ", ")) FROM \(Self.table) FOR \(strength)"
        }
        return "SELECT \(([advisoryLock(writing)] + columns).joined(separator: ", "))"
    }

    /// Waits, as a part of any statement, as ``lock(_:beside:)`` does where the server has advisory locks.
    func advisoryLock(_ writing: PostgreSQLStore.Writing) -> String {
        let function =
            switch writing {
            case .shared: "pg_advisory_xact_lock_shared"
            case .alone: "pg_advisory_xact_lock"
            }
        return "\(function)(hashtextextended('\(("strata " + schema).replacing("'", by: "''"))', 0))"
    }

    /// What begins a transaction that writes, and gives columns beside its lock.
    func beginning(_ writing: PostgreSQLStore.Writing, beside columns: [String]) -> [String] {
        [PostgreSQLConnection.beginning(isReadOnly: false), lock(writing, beside: columns)]
    }

    /// Makes the row whose lock stands for the store's, where there is no other.
    var lockCreation: [String] {
        guard !server.capabilities.contains(.advisoryLocks) else { return [] }
        return [
            "CREATE TABLE IF NOT EXISTS \(Self.table) (id bigint PRIMARY KEY)",
            "INSERT INTO \(Self.table) VALUES (1) ON CONFLICT (id) DO NOTHING",
        ]
    }

    /// Takes it away, where there is one.
    static let lockRemoval = "DROP TABLE IF EXISTS \(table)"
}

extension PostgreSQLConnection {
    /// Says that the store is open, until the connection ends.
    func holdOpen(_ schema: String) throws {
        try run("SELECT pg_advisory_lock_shared(hashtextextended($1, 0))", .string("strata open " + schema))
    }

    /// How long to wait for the end of connections that were closed: the server notices it a little later than who has closed them.
    private static let closingTime = "1s"

    /// Keeps everybody from opening the store, until the transaction ends; without advisory locks nobody is kept.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` where somebody has it open.
    func holdClosed(_ schema: String) throws {
        guard server.capabilities.contains(.advisoryLocks) else { return }
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
