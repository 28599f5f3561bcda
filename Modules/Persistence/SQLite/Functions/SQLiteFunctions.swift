import CStrataSQLite
import StrataCore
import StrataStoreKit

/// The SQL functions that conditions need and SQLite lacks, such as arithmetic that reports overflow and exact
/// comparison of decimals.
///
/// If an integer overflows, SQLite itself returns a double, and for a division by zero, null. In Strata's conditions,
/// both must be errors.
enum SQLiteFunctions {
    /// The prefix of the error messages of these functions, which distinguishes them from SQLite's own messages.
    static let errorPrefix = "strata arithmetic: "

    static func name(_ operation: FetchArithmetic) -> String { "strata_\(operation.rawValue)" }
    /// The name of `strata_compare(a, scale of a, b, scale of b)`, which compares two decimals; the result is -1, 0 or
    /// 1.
    static let compareName = "strata_compare"
    /// The name of `strata_ends_with(text, part)`; the result is 1 or 0, or null if either argument is null.
    static let endsWithName = "strata_ends_with"
    /// The name of `strata_like(text, pattern)`; the result is 1 or 0, or null if the text is null.
    static let likeName = "strata_like"
    /// The name of the variant of `strata_like` that ignores the case of the letters A to Z.
    static let likeIgnoringCaseName = "strata_like_c"

    static func register(on database: OpaquePointer) throws {
        let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS
        var codes: [Int32] = []
        for (index, operation) in FetchArithmetic.allCases.enumerated() {
            // One function implements all operations. The operation's number is its user data, counted from 1 because 0
            // is a null pointer.
            let number = UnsafeMutableRawPointer(bitPattern: index + 1)
            codes.append(
                sqlite3_create_function_v2(
                    database, name(operation), 2, flags, number,
                    { context, _, arguments in SQLiteFunctions.calculate(context, arguments) }, nil, nil, nil))
        }
        codes.append(
            sqlite3_create_function_v2(
                database, compareName, 4, flags, nil,
                { context, _, arguments in SQLiteFunctions.compare(context, arguments) }, nil, nil, nil))
        let texts: [(String, @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void)] = [
            (
                endsWithName,
                { context, _, arguments in
                    SQLiteFunctions.evaluate(context, arguments: arguments) { $0.endsWithUTF8($1) }
                }
            ),
            (
                likeName,
                { context, _, arguments in
                    SQLiteFunctions.evaluate(context, arguments: arguments) {
                        TextPattern($1, ignoringCase: false).matches($0)
                    }
                }
            ),
            (
                likeIgnoringCaseName,
                { context, _, arguments in
                    SQLiteFunctions.evaluate(context, arguments: arguments) {
                        TextPattern($1, ignoringCase: true).matches($0)
                    }
                }
            ),
        ]
        for (name, function) in texts {
            codes.append(sqlite3_create_function_v2(database, name, 2, flags, nil, function, nil, nil, nil))
        }
        codes += registerFunctions(on: database, flags: flags)
        guard codes.allSatisfy({ $0 == SQLITE_OK }) else {
            throw PersistenceError(
                .database, "SQLite rejected the registration of the SQL functions that conditions use")
        }
    }

    private static func calculate(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        let number = Int(bitPattern: sqlite3_user_data(context)) - 1
        guard let arguments, FetchArithmetic.allCases.indices.contains(number) else { return }
        let operation = FetchArithmetic.allCases[number]
        do {
            switch try operation.apply(value(arguments[0]), value(arguments[1])) {
            case .integer(let result): sqlite3_result_int64(context, result)
            case .double(let result): sqlite3_result_double(context, result)
            default: sqlite3_result_null(context)
            }
        } catch {
            fail(context, error)
        }
    }

    private static func compare(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let arguments, sqlite3_value_type(arguments[0]) != SQLITE_NULL,
            sqlite3_value_type(arguments[2]) != SQLITE_NULL
        else {
            sqlite3_result_null(context)
            return
        }
        let left = ScaledDecimal(unscaled: sqlite3_value_int64(arguments[0]), scale: scale(arguments[1]))
        let right = ScaledDecimal(unscaled: sqlite3_value_int64(arguments[2]), scale: scale(arguments[3]))
        sqlite3_result_int64(context, left < right ? -1 : (left == right ? 0 : 1))
    }

    /// Sets the result of an SQL function to 1 or 0 by a condition on two texts, or to null if either argument is not a
    /// text.
    private static func evaluate(
        _ context: OpaquePointer?, arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ holds: (String, String) -> Bool
    ) {
        guard let arguments, let text = string(arguments[0]), let other = string(arguments[1]) else {
            sqlite3_result_null(context)
            return
        }
        sqlite3_result_int(context, holds(text, other) ? 1 : 0)
    }

    /// Returns the scale of a decimal in an argument, limited to the valid range, because a trigger of another program
    /// may pass any number.
    static func scale(_ argument: OpaquePointer?) -> UInt8 {
        UInt8(min(max(0, sqlite3_value_int64(argument)), Int64(ScaledDecimal.maximumScale)))
    }

    static func fail(_ context: OpaquePointer?, _ error: any Error) {
        let message = errorPrefix + ((error as? PersistenceError)?.message ?? "\(error)")
        sqlite3_result_error(context, message, -1)
    }

    static func string(_ argument: OpaquePointer?) -> String? {
        guard sqlite3_value_type(argument) == SQLITE_TEXT else { return nil }
        guard let bytes = sqlite3_value_text(argument) else { return "" }
        return String(
            decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(argument))), as: UTF8.self)
    }

    static func value(_ argument: OpaquePointer?) -> StoredValue {
        switch sqlite3_value_type(argument) {
        case SQLITE_INTEGER: .integer(sqlite3_value_int64(argument))
        case SQLITE_FLOAT: .double(sqlite3_value_double(argument))
        default: .null
        }
    }
}
