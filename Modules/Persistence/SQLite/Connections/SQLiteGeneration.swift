import CStrataSQLite
import StrataCore
import StrataSQL

/// The identity of a store when it was opened: the count of its migrations, and the hash of its model.
///
/// Another process may migrate the store meanwhile. After a migration, SQLite detects at the next use of each prepared
/// statement that the schema has changed, prepares the statement again and counts this
/// (sqlite.org/c3ref/c_stmtstatus_counter.html). Strata reads the count of migrations in the store only if that counter
/// has changed, when a statement is first prepared, and when a statement fails. Therefore the check usually costs one
/// read of a counter, and no statement of the old model reads or writes the migrated store.
struct SQLiteGeneration: Sendable {
    let number: Int64
    /// The hash of the model in the form that error messages contain.
    let model: String

    /// Throws if the store was migrated after it was opened; reads the count of migrations in the connection's open
    /// transaction.
    func check(on connection: SQLiteConnection) throws {
        var statement: OpaquePointer?
        let sql = "SELECT key, value FROM \(SQLLayout.metadataTable) WHERE key IN (?, ?)"
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection.handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            // The file is damaged, or another connection holds a lock: the caller's own statement reports the error.
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
