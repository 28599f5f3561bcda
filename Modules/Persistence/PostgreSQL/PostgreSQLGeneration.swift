#if PostgreSQL
import StrataCore
import StrataSQL

/// The generation of the store when it was opened: the count of its migrations, and its model.
///
/// Another process may migrate the store meanwhile. The generation is part of the name of a column of the metadata
/// table. Every statement that depends on the model contains that name in an expression that is never evaluated. This
/// has no cost, and a statement with an earlier generation fails. Prepared statements fail too, because the server
/// analyzes them again after a change of the objects that they name (postgresql.org/docs/15/sql-prepare.html). A
/// migration locks the metadata table exclusively. It waits for all transactions that have read the table, and later
/// transactions wait for the migration.
struct PostgreSQLGeneration: Sendable {
    let number: Int64
    /// The model's hash, in the form in which messages contain it.
    let model: String

    private static let table = SQLLayout.metadataTable

    /// The statement that delays the snapshot of a transaction until a running migration has ended.
    ///
    /// The statement itself takes no snapshot (postgresql.org/docs/15/explicit-locking.html, and
    /// applevel-consistency.html on locks in a repeatable read transaction).
    static let lock = "LOCK TABLE \(table) IN ACCESS SHARE MODE"
    /// The statement that excludes all other connections from the store until the transaction ends.
    ///
    /// It must precede the store's write lock, because writers take the locks in that order too.
    static let lockAlone = "LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE"

    /// An expression for the columns of a statement, which makes the statement fail if the store was migrated.
    var column: String {
        let name = PostgreSQLSettings.quoted(Self.name(number))
        return "CASE WHEN TRUE THEN 1 ELSE (SELECT 1 FROM \(Self.table) WHERE \(Self.table).\(name) IS NULL) END"
    }

    /// A condition that is always true, and that makes a statement fail as ``column`` does.
    ///
    /// In contrast to ``column``, it adds no column to the description and the rows of the result.
    var condition: String {
        "(TRUE OR (SELECT \(Self.table).\(PostgreSQLSettings.quoted(Self.name(number))) FROM \(Self.table)))"
    }

    private static let namePrefix = "generation "
    private static func name(_ number: Int64) -> String { "\(namePrefix)\(number)" }

    /// The statement that adds the column of generation 0 to the metadata table of a new store.
    static let naming = "ALTER TABLE \(table) ADD COLUMN \(PostgreSQLSettings.quoted(name(0))) boolean"

    /// Returns the names of the generation columns of the metadata table.
    ///
    /// There is one such column, unless an earlier version of Strata created or migrated the store.
    static func names(on connection: PostgreSQLConnection) throws -> [String] {
        try connection.texts(
            """
            SELECT attname::text FROM pg_attribute WHERE attrelid = '\(table)'::regclass AND attnum > 0 AND NOT attisdropped \
            AND starts_with(attname::text, '\(namePrefix)') ORDER BY attnum
            """)
    }

    /// Returns a Boolean value that indicates whether the metadata table has the column of this generation only.
    func isNamed(on connection: PostgreSQLConnection) throws -> Bool {
        try Self.names(on: connection) == [Self.name(number)]
    }

    /// Makes the column of a generation the only generation column; the transaction must have locked the table.
    static func name(_ number: Int64, on connection: PostgreSQLConnection) throws {
        let (names, wanted) = (try names(on: connection), name(number))
        func alter(_ change: String) throws { try connection.execute("ALTER TABLE \(table) \(change)") }
        let kept = names.contains(wanted) ? wanted : names.first
        for other in names where other != kept { try alter("DROP COLUMN \(PostgreSQLSettings.quoted(other))") }
        guard let kept else { return try alter("ADD COLUMN \(PostgreSQLSettings.quoted(wanted)) boolean") }
        if kept == wanted { return }
        try alter("RENAME COLUMN \(PostgreSQLSettings.quoted(kept)) TO \(PostgreSQLSettings.quoted(wanted))")
    }

    /// Throws an error if the store was migrated after it was opened.
    ///
    /// If it was not, or if the query fails, the failure of the caller's statement has another cause.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/storeMigrated``.
    func check(on connection: PostgreSQLConnection) throws {
        // A failed transaction accepts no queries.
        connection.rollBack()
        func text(_ key: String) throws -> String? {
            try connection.text("SELECT value FROM \(Self.table) WHERE key = $1", .string(key))
        }
        let found: (number: Int64, model: String?)
        do {
            found = (try text(SQLLayout.generationKey).flatMap { Int64($0) } ?? 0, try text(SQLLayout.versionKey))
        } catch { return }
        guard found.number != number else { return }
        throw PersistenceError.storeMigrated(from: model, to: found.model ?? "?", path: connection.place)
    }
}

extension PostgreSQLConnection {
    /// Runs `body`, and throws a specific error if `body` fails because the store was migrated.
    ///
    /// A transaction that waits for a migration can end in a deadlock, because a statement locks its own table before
    /// the metadata table.
    func naming<Result>(_ generation: PostgreSQLGeneration?, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as PersistenceError {
            if [.corrupt, .database, .locked].contains(error.code) { try generation?.check(on: self) }
            throw error
        }
    }
}
#endif
