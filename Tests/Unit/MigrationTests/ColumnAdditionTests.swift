import Foundation
import StrataCore
import StrataTesting
import Testing

@testable import StrataSQLite

/// A column is added by changing the table's definition, with the same result as SQLite's own statement.
@Suite("Adding a column")
struct ColumnAdditionTests {
    private static let definitions = [
        #""phone" TEXT"#, #""a ""b"") STRICT" INTEGER NOT NULL DEFAULT 7"#,
        #""x" TEXT NOT NULL DEFAULT ') STRICT'"#, #""größe, ü" REAL"#,
        #""other" INTEGER REFERENCES "T" ("id") DEFERRABLE INITIALLY DEFERRED"#,
    ]
    private let folder = try? TemporaryFolder()

    private func connection(_ name: String, _ creation: String) throws -> SQLiteConnection {
        let folder = try #require(folder)
        let connection = try SQLiteConnection(
            path: folder.file(name).path, access: .create, busyTimeout: .seconds(5))
        try connection.execute("\(creation); INSERT INTO \"T\" (\"id\", \"a\") VALUES (1, 'one'), (2, NULL)")
        return connection
    }

    private func add(_ definition: String, _ connection: SQLiteConnection) throws {
        try connection.execute("BEGIN IMMEDIATE")
        try SQLiteColumnAddition(table: "T", definition: definition).run(on: connection)
        try connection.execute("COMMIT")
    }

    private func text(_ connection: SQLiteConnection) throws -> String? {
        try connection.text("SELECT sql FROM sqlite_schema WHERE name = 'T'")
    }

    @Test("an added column results in the same table and the same rows as ALTER TABLE", arguments: definitions)
    func same(_ definition: String) throws {
        let creation = #"CREATE TABLE "T" ("id" INTEGER PRIMARY KEY, "a" TEXT) STRICT"#
        let (ours, sqlite) = (try connection("ours", creation), try connection("sqlite", creation))
        defer { for connection in [ours, sqlite] { connection.close() } }
        try add(definition, ours)
        try sqlite.execute("ALTER TABLE \"T\" ADD COLUMN \(definition)")
        #expect(try text(ours) == text(sqlite))
        for connection in [ours, sqlite] {
            #expect(try connection.text("PRAGMA integrity_check") == "ok")
            try connection.execute("INSERT INTO \"T\" (\"id\") VALUES (3)")
        }
        let columns = try ours.texts("SELECT name FROM pragma_table_info('T')")
        #expect(columns.count == 3)
        let values = "SELECT quote(\"\(columns[2].replacing("\"", with: "\"\""))\") FROM \"T\" ORDER BY \"id\""
        #expect(try ours.texts(values) == sqlite.texts(values))
    }

    @Test("a connection that read the table earlier uses the added column in its next statement")
    func seen() throws {
        let ours = try connection("ours", #"CREATE TABLE "T" ("id" INTEGER PRIMARY KEY, "a" TEXT) STRICT"#)
        let other = try SQLiteConnection(path: ours.path, access: .readWrite, busyTimeout: .seconds(5))
        defer { for connection in [ours, other] { connection.close() } }
        #expect(try other.texts("SELECT name FROM pragma_table_info('T')") == ["id", "a"])
        #expect(try other.number("SELECT count(*) FROM \"T\"") == 2)
        try add(#""b" TEXT"#, ours)
        for connection in [ours, other] {
            try connection.execute("UPDATE \"T\" SET \"b\" = 'new' WHERE \"id\" = 1")
            #expect(try connection.text("SELECT \"b\" FROM \"T\" WHERE \"id\" = 1") == "new")
        }
    }

    @Test("a rolled back transaction leaves the table unchanged and the schema read-only")
    func rolledBack() throws {
        let creation = #"CREATE TABLE "T" ("id" INTEGER PRIMARY KEY, "a" TEXT) STRICT"#
        let ours = try connection("ours", creation)
        defer { ours.close() }
        try ours.execute("BEGIN IMMEDIATE")
        try SQLiteColumnAddition(table: "T", definition: #""b" TEXT"#).run(on: ours)
        try ours.execute("ROLLBACK")
        #expect(try text(ours) == creation)
        #expect(throws: PersistenceError.self) { try ours.execute("UPDATE sqlite_schema SET sql = ''") }
        #expect(throws: PersistenceError.self) { try ours.execute("INSERT INTO \"T\" (\"b\") VALUES ('x')") }
    }

    @Test("an invalid column definition is rejected, and the table is unchanged")
    func wrong() throws {
        let creation = #"CREATE TABLE "T" ("id" INTEGER PRIMARY KEY, "a" TEXT) STRICT"#
        let ours = try connection("ours", creation)
        defer { ours.close() }
        try ours.execute("BEGIN IMMEDIATE")
        #expect(throws: PersistenceError.self) {
            try SQLiteColumnAddition(table: "T", definition: #""b" NOTYPE"#).run(on: ours)
            try ours.execute("SELECT \"b\" FROM \"T\"")
        }
        ours.rollBack()
        #expect(try text(ours) == creation)
        #expect(try ours.number("SELECT count(*) FROM \"T\"") == 2)
        #expect(throws: PersistenceError.self) { try ours.execute("UPDATE sqlite_schema SET sql = ''") }
    }

    @Test(
        "a column is added with ALTER TABLE if another program changed the table",
        arguments: [
            #"CREATE TABLE "T" ("id" INTEGER PRIMARY KEY, "a" TEXT)"#,
            #"CREATE TABLE "T" ("id" INTEGER PRIMARY KEY, "a" TEXT, UNIQUE ("a")) STRICT"#,
            #"CREATE TABLE "T" ("id" INTEGER PRIMARY KEY, "a" TEXT) STRICT -- ours"#,
        ])
    func others(_ creation: String) throws {
        let ours = try connection("ours", creation)
        defer { ours.close() }
        try add(#""b" TEXT"#, ours)
        #expect(try ours.texts("SELECT name FROM pragma_table_info('T')") == ["id", "a", "b"])
        #expect(try ours.text("PRAGMA integrity_check") == "ok")
    }
}
