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
        "CASE WHEN TRUE THEN 1 ELSE (SELECT 1 FROM \(Self.table) WHERE \(Self.name(number)) IS NULL) END"
    }

    /// No attribute is called so.
    private static func name(_ number: Int64) -> String { PostgreSQLSettings.quoted("generation \(number)") }

    /// Has the store's table name a number, which another one was named before.
    static func naming(_ number: Int64, instead other: Int64?) -> String {
        guard let other else { return "ALTER TABLE \(table) ADD COLUMN IF NOT EXISTS \(name(number)) boolean" }
        return "ALTER TABLE \(table) RENAME COLUMN \(name(other)) TO \(name(number))"
    }

    /// Whether the store's table names the number.
    func isNamed(on connection: PostgreSQLConnection) throws -> Bool {
        let sql = "SELECT 1 FROM pg_attribute WHERE attrelid = '\(Self.table)'::regclass AND attname = $1"
        return try connection.number(sql, .string("generation \(number)")) != nil
    }

    /// Throws where the store has followed another model since; otherwise that is not why something failed.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/storeMigrated``.
    func check(on connection: PostgreSQLConnection) throws {
        // In a transaction that has failed nothing can be asked.
        connection.rollBack()
        func text(_ key: String) throws -> String? {
            try connection.text("SELECT value FROM \(Self.table) WHERE key = $1", .string(key))
        }
        guard try text(SQLLayout.generationKey).flatMap({ Int64($0) }) ?? 0 != number else { return }
        throw PersistenceError.storeMigrated(
            from: model, to: try text(SQLLayout.versionKey) ?? "?", path: connection.place)
    }
}

extension PostgreSQLConnection {
    /// Runs `body`, and says so where it fails as the tables are those of another model by now.
    func naming<Result>(_ generation: PostgreSQLGeneration?, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as PersistenceError {
            if [.corrupt, .database].contains(error.code) { try generation?.check(on: self) }
            throw error
        }
    }
}
#endif
