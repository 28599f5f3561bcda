import CStrataSQLite
import Foundation
import StrataCore
import StrataSQL

/// The SQL functions that a migration's statements use to count rows, to create identifiers, and to convert values.
enum SQLiteMigrationFunctions {
    /// The name of `strata_count(number)`, which counts a row and returns the number unchanged.
    static let countName = "strata_count"
    /// The name of `strata_uuid()`, which returns a new random UUID.
    static let uuidName = "strata_uuid"
    /// The name of `strata_convert(value, type, other type)`, which returns the converted value, or null if the other
    /// type has no equal value.
    static let convertName = "strata_convert"
    /// The error message of a statement that ends because the migration was canceled.
    static let cancelled = "strata migration: cancelled"
    /// The end of the error message for a value that does not have the type of its column.
    static let unconvertible = "strata migration: a value does not have its column's type"

    /// Registers the functions on a connection; the counter must exist as long as the functions are used.
    static func register(on connection: SQLiteConnection, _ counter: SQLMigrationCounter) throws {
        // The counter outlives the connection's statements, because the migration retains both.
        let pointer = Unmanaged.passUnretained(counter).toOpaque()
        let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS
        try connection.check(
            sqlite3_create_function_v2(
                connection.handle, countName, 1, flags, pointer,
                { context, _, arguments in
                    guard let arguments, let data = sqlite3_user_data(context) else { return }
                    let counter = Unmanaged<SQLMigrationCounter>.fromOpaque(data).takeUnretainedValue()
                    guard counter.add() else {
                        sqlite3_result_error(context, SQLiteMigrationFunctions.cancelled, -1)
                        return
                    }
                    sqlite3_result_value(context, arguments[0])
                }, nil, nil, nil))
        try connection.check(
            sqlite3_create_function_v2(
                connection.handle, uuidName, 0, SQLITE_UTF8, nil,
                { context, _, _ in SQLiteMigrationFunctions.give(.uuid(UUID()), to: context) }, nil, nil, nil))
        try connection.check(
            sqlite3_create_function_v2(
                connection.handle, convertName, 3, flags | SQLITE_DETERMINISTIC, nil,
                { context, _, arguments in SQLiteMigrationFunctions.convert(context, arguments) }, nil, nil, nil))
    }

    private static func convert(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let arguments, let source = type(arguments[1]), let target = type(arguments[2]),
            let conversion = ValueConversion(from: source, to: target)
        else { return }
        let raw = raw(arguments[0])
        if case .null = raw { return sqlite3_result_null(context) }
        // The migration has already checked the conversions. A remaining invalid value was not written by Strata.
        guard let value = source.coding.value(raw), let converted = conversion.convert(value) else {
            return sqlite3_result_error(context, unconvertible, -1)
        }
        give(converted, to: context)
    }

    private static func raw(_ value: OpaquePointer?) -> RawValue {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            .text(UnsafeBufferPointer(start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value))))
        case SQLITE_BLOB:
            .blob(UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value))))
        default: .null
        }
    }

    /// The attribute types by their names; the functions need a type for every value, and a migration rarely uses more
    /// than two types.
    private static let types = Dictionary(
        uniqueKeysWithValues: (AttributeType.simple + (0...ScaledDecimal.maximumScale).map { .decimal(scale: $0) })
            .map { ($0.description, $0) })

    private static func type(_ value: OpaquePointer?) -> AttributeType? {
        sqlite3_value_text(value).flatMap { types[String(cString: $0)] }
    }

    private static func give(_ value: StoredValue, to context: OpaquePointer?) {
        switch value.stored {
        case .null: sqlite3_result_null(context)
        case .integer(let number): sqlite3_result_int64(context, number)
        case .real(let number): sqlite3_result_double(context, number)
        case .text(var text):
            text.withUTF8 { strata_result_text(context, $0.baseAddress, UInt64($0.count)) }
        case .blob(let bytes):
            bytes.withUnsafeBytes { strata_result_blob(context, $0.baseAddress, UInt64($0.count)) }
        }
    }
}
