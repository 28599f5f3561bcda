#if PostgreSQL
import StrataCore
import StrataSQL

/// What the store was when it was opened: how often it had followed another model, and which model that was.
///
/// Another process may have the store follow meanwhile. How often it has is also the name of a column of the metadata's table, and every statement that has to
/// know names it where it is never evaluated: that costs nothing, and a statement that names an earlier one fails, a prepared one too
/// (postgresql.org/docs/15/sql-prepare.html: it is analysed again when what it names has changed). Whoever migrates has the table alone, and waits for all
/// who have named it in their transactions; others wait for it.
struct PostgreSQLGeneration: Sendable {
    let number: Int64
    /// The model's hash, as a person compares it.
    let model: String

    private static let table = SQLLayout.metadataTable

    /// Keeps a snapshot from being taken before a migration that is under way has ended: this statement takes none
    /// (postgresql.org/docs/15/explicit-locking.html, and applevel-consistency.html on locks in a repeatable read).
    static let lock = "LOCK TABLE \(table) IN ACCESS SHARE MODE"
    /// Keeps everybody from the store until the transaction ends.
    ///
    /// Taken before the store's writing: who writes takes them in that order too.
    static let lockAlone = "LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE"

    /// A column of any statement, which fails where the store has followed another model since.
    var column: String {
        let name = PostgreSQLSettings.quoted(Self.name(number))
        return "CASE WHEN TRUE THEN 1 ELSE (SELECT 1 FROM \(Self.table) WHERE \(Self.table).\(name) IS NULL) END"
    }

    /// A condition of any statement that is true, and fails as ``column`` does: a column less to be described and sent with every row.
    var condition: String {
        "(TRUE OR (SELECT \(Self.table).\(PostgreSQLSettings.quoted(Self.name(number))) FROM \(Self.table)))"
    }

    private static let namePrefix = "generation "
    private static func name(_ number: Int64) -> String { "\(namePrefix)\(number)" }

    /// Has the store's new table name that it has never followed.
    static let naming = "ALTER TABLE \(table) ADD COLUMN \(PostgreSQLSettings.quoted(name(0))) boolean"

    /// The numbers that the store's table names, as the columns are called: one, unless the store was made or followed before stores did.
    static func names(on connection: PostgreSQLConnection) throws -> [String] {
        try connection.texts(
            """
            SELECT attname::text FROM pg_attribute WHERE attrelid = '\(table)'::regclass AND attnum > 0 AND NOT attisdropped \
            AND starts_with(attname::text, '\(namePrefix)') ORDER BY attnum
            """)
    }

    /// Whether the store's table names this number and no other.
    func isNamed(on connection: PostgreSQLConnection) throws -> Bool {
        try Self.names(on: connection) == [Self.name(number)]
    }

    /// Has the store's table, which the transaction has alone, name a number and no other.
    static func name(_ number: Int64, on connection: PostgreSQLConnection) throws {
        let (names, wanted) = (try names(on: connection), name(number))
        func alter(_ change: String) throws { try connection.execute("ALTER TABLE \(table) \(change)") }
        let kept = names.contains(wanted) ? wanted : names.first
        for other in names where other != kept { try alter("DROP COLUMN \(PostgreSQLSettings.quoted(other))") }
        guard let kept else { return try alter("ADD COLUMN \(PostgreSQLSettings.quoted(wanted)) boolean") }
        if kept == wanted { return }
        try alter("RENAME COLUMN \(PostgreSQLSettings.quoted(kept)) TO \(PostgreSQLSettings.quoted(wanted))")
    }

    /// Throws where the store has followed another model since; otherwise, and where that cannot be asked, something else is why a statement failed.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/storeMigrated``.
    func check(on connection: PostgreSQLConnection) throws {
        // In a transaction that has failed nothing can be asked.
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
    /// Runs `body`, and says so where it fails as the tables are those of another model by now.
    ///
    /// Who waits for a migration may have to give way to it, as one statement has its own table before the one that says how often the store has followed.
    func naming<Result>(_ generation: PostgreSQLGeneration?, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as PersistenceError {
            if [.corrupt, .database, .locked].contains(error.code) { try generation?.check(on: self) }
            throw error
        }
    }
}
#endif
