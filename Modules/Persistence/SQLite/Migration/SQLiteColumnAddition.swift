import CStrataSQLite
import StrataCore
import StrataSQL

/// An operation that adds a column to a table without reading the table's rows.
///
/// `ALTER TABLE … ADD COLUMN` changes only the text of the table's definition, but for a `STRICT` table SQLite then
/// reads every row (`sqlite3AlterFinishAddColumn` runs `pragma_quick_check`). Therefore this operation changes the text
/// of the definition itself, as SQLite's documentation describes (https://www.sqlite.org/lang_altertable.html, section
/// 7). In a row that was stored without the column, the column has its default value. The operation also raises the
/// schema's version number, so that every connection reads the new definition.
struct SQLiteColumnAddition {
    private static let end = ") STRICT"

    let table: String
    /// The column's definition, in the form that `CREATE TABLE` requires.
    let definition: String

    /// Adds the column in the connection's open transaction.
    ///
    /// - Throws: ``PersistenceError`` if the column cannot be added; the caller must then roll back the transaction.
    func run(on connection: SQLiteConnection) throws {
        let text = try connection.text(
            "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1", .string(table))
        guard let text, text.hasSuffix(Self.end) else { return try alter(on: connection) }
        try connection.execute("SAVEPOINT strata_column")
        do {
            try write("\(text.dropLast(Self.end.count)), \(definition)\(Self.end)", on: connection)
        } catch let error as PersistenceError where error.code == .corrupt && connection.isInTransaction {
            // Another program has changed the table's definition so that a column cannot be appended to its text.
            try connection.execute("ROLLBACK TO strata_column")
            try alter(on: connection)
        }
        try connection.execute("RELEASE strata_column")
    }

    private func write(_ text: String, on connection: SQLiteConnection) throws {
        try connection.check(strata_open_schema(connection.handle, 1))
        do {
            try connection.run(
                "UPDATE sqlite_schema SET sql = ?1 WHERE type = 'table' AND name = ?2", .string(text), .string(table))
            let number = try connection.number("PRAGMA schema_version") ?? 0
            try connection.execute("PRAGMA schema_version = \(number + 1)")
        } catch {
            // The method reports the first error only.
            _ = strata_open_schema(connection.handle, 0)
            throw error
        }
        try connection.check(strata_open_schema(connection.handle, 0))
        // This makes SQLite parse the text, which reports invalid text.
        _ = try connection.number("SELECT count(*) FROM \(SQLLayout.quoted(table)) WHERE 0")
    }

    /// Adds the column by `ALTER TABLE`, which supports every form of a table's definition.
    private func alter(on connection: SQLiteConnection) throws {
        try connection.execute("ALTER TABLE \(SQLLayout.quoted(table)) ADD COLUMN \(definition)")
    }
}
