import CStrataSQLite
import Foundation
import StrataCore

/// The names and value encodings of the store's tables: everything that would differ in a second layout.
///
/// Readable by default: a table and a column are called what the model calls them, dates are seconds since the reference date, as
/// Core Data keeps them, UUIDs are text, decimals whole numbers of their scale.
struct SQLiteLayout {
    /// “Strt”: tells Strata's databases from other applications' (see SQLite's magic.txt).
    static let applicationID: Int32 = 0x5374_7274
    /// Raised with every change that an older version could not read.
    static let formatVersion: Int32 = 1
    /// STRICT tables came with 3.37.
    static let minimumSQLiteVersion: Int32 = 3_037_000

    static let metadataTable = "strata_metadata"
    static let sequenceTable = "strata_sequence"

    /// What the keys of users' metadata begin with, so that they never are the store's own.
    static let userKeyPrefix = "user "

    let model: ManagedObjectModel

    static func quoted(_ name: String) -> String { "\"\(name)\"" }

    func table(_ entity: String) -> String { Self.quoted(entity) }
    func column(_ name: String) -> String { Self.quoted(name) }
    var idColumn: String { "\"id\"" }
    /// Begins with `_`, which no attribute's name does.
    var versionColumn: String { "\"_version\"" }
    func indexName(_ entity: String, _ column: String) -> String { Self.quoted("\(entity)_\(column)") }

    /// The columns in the order in which every statement reads and writes a row.
    func rowColumns(_ entity: EntityDescription) -> String {
        ([idColumn, versionColumn] + entity.columns.map { column($0.name) }).joined(separator: ", ")
    }

    func insertion(_ entity: EntityDescription, rows: Int = 1) -> String {
        let marks = "(" + Array(repeating: "?", count: entity.columns.count + 2).joined(separator: ", ") + ")"
        let values = Array(repeating: marks, count: rows).joined(separator: ", ")
        return "INSERT INTO \(table(entity.name)) (\(rowColumns(entity))) VALUES \(values)"
    }
}

// MARK: - Tables

extension SQLiteLayout {
    func schema() -> [String] {
        var statements = [
            "CREATE TABLE \(Self.metadataTable) (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT",
            "CREATE TABLE \(Self.sequenceTable) (entity TEXT NOT NULL PRIMARY KEY, next INTEGER NOT NULL) STRICT",
        ]
        for entity in model.entities {
            var columns = ["\(idColumn) INTEGER PRIMARY KEY", "\(versionColumn) INTEGER NOT NULL"]
            for column in entity.columns { columns.append(definition(column)) }
            statements.append("CREATE TABLE \(table(entity.name)) (\(columns.joined(separator: ", "))) STRICT")
            statements += indexes(entity).map(\.creation)
        }
        for join in model.joins { statements += schema(join) }
        return statements
    }

    /// The indexes of an entity that can be dropped and built again around a bulk insert.
    func indexes(_ entity: EntityDescription) -> [(removal: String, creation: String)] {
        entity.columns.filter { $0.isIndexed && !$0.isUnique }.map { column in
            let name = indexName(entity.name, column.name)
            return (
                "DROP INDEX \(name)",
                "CREATE INDEX \(name) ON \(table(entity.name)) (\(self.column(column.name)))"
            )
        }
    }

    private func definition(_ column: ColumnDescription) -> String {
        var text = "\(self.column(column.name)) \(Self.typeName(column.type))"
        if !column.isOptional { text += " NOT NULL" }
        if column.isUnique { text += " UNIQUE" }
        if let destination = column.destination {
            text += " REFERENCES \(table(destination)) (\(idColumn)) DEFERRABLE INITIALLY DEFERRED"
        }
        return text
    }

    private static func typeName(_ type: AttributeType) -> String {
        switch type.storage {
        case .text: "TEXT"
        case .integer: "INTEGER"
        case .real: "REAL"
        case .blob: "BLOB"
        }
    }
}

// MARK: - Values

extension SQLiteLayout {
    /// Reads a column by the type the model gives it; `nil` when another type is stored.
    static func read(_ statement: OpaquePointer, _ index: Int32, as type: AttributeType) -> StoredValue? {
        switch type {
        case .string:
            if let text = string(statement, index) { return .string(text) }
        case .integer64:
            if let number = integer(statement, index) { return .integer(number) }
        default: break
        }
        let raw = raw(statement, index)
        if case .null = raw { return .null }
        return type.coding.value(raw)
    }

    /// A column's value in whatever form it is stored, valid as long as the statement stands on its row.
    static func raw(_ statement: OpaquePointer, _ index: Int32) -> RawValue {
        let value = sqlite3_column_value(statement, index)
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            let bytes = sqlite3_value_text(value)
            return .text(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
        case SQLITE_BLOB:
            let bytes = sqlite3_value_blob(value)
            return .blob(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
        default: return .null
        }
    }

    // The value is taken from its row once and then asked: each `sqlite3_column_…` call looks the column up and ends as a call of its own, a
    // seventh of a fetch's time. What `sqlite3_column_value` gives may be asked as long as no other thread uses the connection, and none does
    // (sqlite.org/c3ref/column_blob.html, on unprotected values).

    static func integer(_ statement: OpaquePointer, _ index: Int32) -> Int64? {
        let value = sqlite3_column_value(statement, index)
        return sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
    }

    static func boolean(_ statement: OpaquePointer, _ index: Int32) -> Bool? {
        integer(statement, index).map { $0 != 0 }
    }

    static func double(_ statement: OpaquePointer, _ index: Int32) -> Double? {
        let value = sqlite3_column_value(statement, index)
        return sqlite3_value_type(value) == SQLITE_FLOAT ? sqlite3_value_double(value) : nil
    }

    static func date(_ statement: OpaquePointer, _ index: Int32) -> Date? {
        double(statement, index).map(Date.init(timeIntervalSinceReferenceDate:))
    }

    static func string(_ statement: OpaquePointer, _ index: Int32) -> String? {
        let value = sqlite3_column_value(statement, index)
        guard sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
        guard let bytes = sqlite3_value_text(value) else { return "" }
        let count = Int(sqlite3_value_bytes(value))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Binds a value as its column holds it; gives SQLite's result code.
    static func bind(_ value: StoredValue, to statement: OpaquePointer, _ index: Int32) -> Int32 {
        switch value.stored {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let value): return sqlite3_bind_int64(statement, index, value)
        case .real(let value): return sqlite3_bind_double(statement, index, value)
        case .text(let value): return bind(text: value, to: statement, index)
        case .blob(let value):
            if value.isEmpty { return sqlite3_bind_zeroblob(statement, index, 0) }
            return value.withUnsafeBytes { strata_bind_blob(statement, index, $0.baseAddress, UInt64($0.count)) }
        }
    }

    private static func bind(text: String, to statement: OpaquePointer, _ index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                // An empty buffer may have no address, and SQLite takes none for null.
                guard let base = bytes.baseAddress else { return strata_bind_text(statement, index, "", 0) }
                return strata_bind_text(statement, index, base, UInt64(bytes.count))
            }
        }
    }
}
