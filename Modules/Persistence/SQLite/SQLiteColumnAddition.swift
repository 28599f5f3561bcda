import CStrataSQLite
import StrataCore
import StrataSQL

/// Gives a table one more column without reading its rows.
///
/// `ALTER TABLE … ADD COLUMN` changes nothing but the table's text, and yet has SQLite read every row of a `STRICT` table (`sqlite3AlterFinishAddColumn`, which asks
/// `pragma_quick_check`). So the text is changed here in the way that SQLite's documentation describes, https://www.sqlite.org/lang_altertable.html, section 7:
/// a row that ends before the column has the column's default. The schema's number is raised too, so that every connection reads the text anew.
struct SQLiteColumnAddition {
    private static let end = ") STRICT"

    let table: String
    /// The column's definition, as it stands in a table's.
    let definition: String

    /// Adds the column, in the connection's transaction.
    ///
    /// - Throws: ``PersistenceError``; the transaction has to be rolled back then.
    func run(on connection: SQLiteConnection) throws {
        let text = try connection.text(
            "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1", .string(table))
        guard let text, text.hasSuffix(Self.end) else { return try alter(on: connection) }
        try connection.execute("SAVEPOINT strata_column")
        do {
            try write("\(text.dropLast(Self.end.count)), \(definition)\(Self.end)", on: connection)
        } catch let error as PersistenceError where error.code == .corrupt && connection.isInTransaction {
            // Not a table as stores make them: behind what another program has written a column cannot stand.
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
            // What was the matter first is what is told.
            _ = strata_open_schema(connection.handle, 0)
            throw error
        }
        try connection.check(strata_open_schema(connection.handle, 0))
        // Has SQLite read the text, which says whether it is one.
        _ = try connection.number("SELECT count(*) FROM \(SQLLayout.quoted(table)) WHERE 0")
    }

    /// Has SQLite add it, which knows every way to write a table.
    private func alter(on connection: SQLiteConnection) throws {
        try connection.execute("ALTER TABLE \(SQLLayout.quoted(table)) ADD COLUMN \(definition)")
    }
}
