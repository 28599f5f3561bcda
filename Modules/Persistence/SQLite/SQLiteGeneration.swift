import CStrataSQLite
import StrataCore
import StrataSQL

/// What the store was when it was opened: how often it had followed another model, and which model that was.
///
/// Another process, or another container, may migrate the store meanwhile. Each of a connection's statements then finds another schema in the transaction in
/// which it runs and is prepared anew by SQLite, which counts that (sqlite.org/c3ref/c_stmtstatus_counter.html); the number in the store is looked at only then,
/// when a statement is first prepared, and when one fails. So an access costs one look at a counter, and nothing of the old model reads or writes the new store.
struct SQLiteGeneration: Sendable {
    let number: Int64
    /// The model's hash, as a person compares it.
    let model: String

    /// What the store says now; asked on the connection, and in the transaction that is under way.
    func check(on connection: SQLiteConnection) throws {
        var statement: OpaquePointer?
        let sql = "SELECT key, value FROM \(SQLLayout.metadataTable) WHERE key IN (?, ?)"
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection.handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            // Damage, or somebody else's lock: the statement that is asked for says so itself.
            return
        }
        guard bind(SQLLayout.generationKey, 1, statement), bind(SQLLayout.versionKey, 2, statement) else { return }
        var found: [String: String] = [:]
        while sqlite3_step(statement) == SQLITE_ROW {
            guard let key = sqlite3_column_text(statement, 0), let value = sqlite3_column_text(statement, 1) else {
                continue
            }
            found[String(cString: key)] = String(cString: value)
        }
        let current = found[SQLLayout.generationKey].flatMap { Int64($0) } ?? 0
        guard current != number else { return }
        throw PersistenceError.storeMigrated(
            from: model, to: found[SQLLayout.versionKey] ?? "?", path: connection.path)
    }

    private func bind(_ text: String, _ index: Int32, _ statement: OpaquePointer) -> Bool {
        strata_bind_text(statement, index, text, UInt64(text.utf8.count)) == SQLITE_OK
    }
}
