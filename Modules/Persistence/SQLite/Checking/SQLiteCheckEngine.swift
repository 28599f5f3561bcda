import CStrataSQLite
import Foundation
import StrataCore
import StrataSQL
import StrataStoreKit

/// The SQLite-specific part of a store check.
struct SQLiteCheckEngine: SQLCheckEngine {
    let connection: SQLiteConnection
    let opening: SQLiteOpening

    var path: String { opening.path }
    var withoutIndexes: String { " NOT INDEXED" }
    /// An empty text, because SQLite reads a table in the order of its identifiers.
    var order: String { "" }
    var sequenceColumns: String { "rowid, length(CAST(entity AS BLOB))" }

    // MARK: Reading

    func forEach(_ sql: String, _ values: [StoredValue], _ body: (SQLiteStatement) throws -> Void) throws {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() { try body(statement) }
    }

    func isInteger(_ statement: SQLiteStatement, at column: Int32) -> Bool {
        sqlite3_column_type(statement.handle, column) == SQLITE_INTEGER
    }

    func text(_ statement: SQLiteStatement, at column: Int32) -> String? {
        sqlite3_column_text(statement.handle, column).map { String(cString: $0) }
    }

    /// Returns the content of a cell, with the information whether it has exactly the form in which the type is stored.
    func cell(_ statement: SQLiteStatement, at column: Int32, of type: AttributeType) -> StoredRowCheck.Cell {
        let raw = SQLiteValues.raw(statement.handle, column)
        let coding = type.coding
        switch raw {
        case .null: return .value(.null)
        case .text(let bytes):
            // Reading replaces invalid UTF-8, but the check must report it.
            guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else { return .invalid }
        case .integer(let number):
            if let range = coding.integers, !range.contains(number) { return .invalid }
        default: break
        }
        return coding.value(raw).map(StoredRowCheck.Cell.value) ?? .invalid
    }

    // MARK: The store as a whole

    func isDamage(_ error: PersistenceError) -> Bool { error.code == .corrupt && error.sqliteCode != nil }

    func checkOwnTables() throws { try opening.checkOwnTables([SQLLayout.metadataTable], on: connection) }

    func checkReadability() throws { _ = try connection.texts("SELECT name FROM sqlite_schema") }

    func checkFormat(_ check: SQLCheck<Self>) throws {
        let format = try connection.number("PRAGMA user_version") ?? 0
        // An earlier version would write a store with a history without recording it.
        let isTooLow = try format < SQLiteFormat.versionWithHistory && connection.hasHistoryTables()
        guard isTooLow || !SQLiteFormat.isKnown(format) else { return }
        try check.found(
            StoreFault(.metadata, "the number of the store's format is wrong", isRepairable: true), Self.formatVersion)
    }

    // MARK: Cancellation

    func withCancellation(_ isCancelled: @escaping @Sendable () -> Bool, _ body: () throws -> Void) throws {
        try connection.cancelling(if: isCancelled, body)
    }
}
