#if PostgreSQL
import StrataCore
import StrataSQL

/// The identity of a store when it was opened: the count of its migrations (its generation), and the hash of its model.
///
/// Another process may migrate the store meanwhile. The metadata table has a column whose name contains the generation.
/// Every statement that depends on the model contains that name in an expression that is never evaluated. This costs
/// nothing, and after a migration the statement fails. Prepared statements fail, too, because the server analyzes a
/// statement again after its tables have changed (postgresql.org/docs/15/sql-prepare.html). A migration locks the
/// metadata table exclusively: it waits for all transactions that have read the table, and later transactions wait for
/// the migration.
struct PostgreSQLGeneration: Sendable {
    let number: Int64
    /// The hash of the model in the form that error messages contain.
    let model: String

    private static let table = SQLLayout.metadataTable

    /// The statement that makes a transaction wait for a running migration before the transaction takes its snapshot.
    ///
    /// The statement itself takes no snapshot (postgresql.org/docs/15/explicit-locking.html, and
    /// applevel-consistency.html on locks in a repeatable read transaction).
    static let lock = "LOCK TABLE \(table) IN ACCESS SHARE MODE"
    /// The statement that gives the transaction exclusive access to the store, which no other connection can then read
    /// or write.
    ///
    /// A transaction must run it before it takes the store's write lock; all writers take the two locks in this order.
    static let lockAlone = "LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE"

    /// An expression for the result columns of a statement, because of which the statement fails if the store was
    /// migrated.
    var column: String {
        let name = PostgreSQLSettings.quoted(Self.name(number))
        return "CASE WHEN TRUE THEN 1 ELSE (SELECT 1 FROM \(Self.table) WHERE \(Self.table).\(name) IS NULL) END"
    }

    /// A condition that is always true, and because of which a statement fails if the store was migrated.
    ///
    /// In contrast to ``column``, the condition adds no column to the result rows.
    var condition: String {
        "(TRUE OR (SELECT \(Self.table).\(PostgreSQLSettings.quoted(Self.name(number))) FROM \(Self.table)))"
    }

    private static let namePrefix = "generation "
    private static func name(_ number: Int64) -> String { "\(namePrefix)\(number)" }

    /// The statement that adds the column with generation 0 to the metadata table of a new store.
    static let naming = "ALTER TABLE \(table) ADD COLUMN \(PostgreSQLSettings.quoted(name(0))) boolean"

    /// Returns the names of those columns of the metadata table that contain a generation.
    ///
    /// There is one such column, except in stores that an earlier version of Strata created or migrated.
    static func names(on connection: PostgreSQLConnection) throws -> [String] {
        try connection.texts(
            """
            SELECT attname::text FROM pg_attribute WHERE attrelid = '\(table)'::regclass AND attnum > 0 AND NOT attisdropped \
            AND starts_with(attname::text, '\(namePrefix)') ORDER BY attnum
            """)
    }

    /// Returns a Boolean value that indicates whether the metadata table has the column of this generation and of no
    /// other one.
    func isNamed(on connection: PostgreSQLConnection) throws -> Bool {
        try Self.names(on: connection) == [Self.name(number)]
    }

    /// Replaces the generation columns of the metadata table by the column of one generation; the transaction must have
    /// locked the table exclusively.
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
    /// If the store was not migrated, or if this cannot be determined, the method returns, and the caller reports the
    /// original error of its statement.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/storeMigrated`` if the store was migrated.
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
    /// Runs `body`; if `body` fails because the store was migrated, throws an error that states this.
    ///
    /// A statement locks its own table before the metadata table. If it waits for a migration, the result can therefore
    /// be a deadlock, which this method also recognizes.
    func naming<Result>(_ generation: PostgreSQLGeneration?, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as PersistenceError {
            if [.corrupt, .database, .locked].contains(error.code) { try generation?.check(on: self) }
            throw error
        }
    }
}
#endif
