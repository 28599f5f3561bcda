import CStrataSQLite
import Foundation
import StrataCore

/// Values of columns and parameters, in the forms that SQLite accepts and returns.
///
/// Dates are seconds since the reference date, as in Core Data. UUIDs are texts. Decimals are integers of their scale;
/// see the coding of each type.
enum SQLiteValues {
    /// Returns a column's value by its type in the model; `nil` if another type or invalid UTF-8 is stored.
    static func read(_ statement: OpaquePointer, _ index: Int32, as type: AttributeType) -> StoredValue? {
        read(raw(statement, index), as: type)
    }

    /// Returns the value of an attribute type for a value in its stored form; `nil` if the form is of another type.
    static func read(_ raw: RawValue, as type: AttributeType) -> StoredValue? {
        switch (type, raw) {
        case (_, .null): .null
        case (.string, .text(let bytes)): string(bytes).map(StoredValue.string)
        case (.integer64, .integer(let number)): .integer(number)
        case (.date, .real(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
        default: type.coding.value(raw)
        }
    }

    /// Returns a column's value in its stored form, valid as long as the statement is positioned on its row.
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

    /// Returns the text of bytes, or `nil` if they are not valid UTF-8.
    ///
    /// Most texts are ASCII. This check is faster than the start of the standard library's validation.
    @inline(__always)
    private static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        if all < 0x80 { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Binds a value in the form that its column stores; returns SQLite's result code.
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
                // An empty buffer may have no address, and SQLite interprets a null address as null.
                guard let base = bytes.baseAddress else { return strata_bind_text(statement, index, "", 0) }
                return strata_bind_text(statement, index, base, UInt64(bytes.count))
            }
        }
    }
}
