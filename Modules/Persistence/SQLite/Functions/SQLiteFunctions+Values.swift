import CStrataSQLite
import StrataCore

/// The SQL functions of conditions that convert a value, where SQLite has no suitable function.
extension SQLiteFunctions {
    static func name(_ function: FetchFunction) -> String { "strata_\(function.name)" }
    /// The name of `strata_round(number, digits, scale)`, which rounds a number; `scale` is that of a decimal.
    static let roundName = "strata_round"
    /// The name of `strata_order(text, format)`, which returns the key by which texts of a format are ordered.
    static let orderName = "strata_order"

    static func registerFunctions(on database: OpaquePointer, flags: Int32) -> [Int32] {
        let functions:
            [(FetchFunction, @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void)] = [
                (.lowercased, { context, _, arguments in SQLiteFunctions.apply(.lowercased, context, arguments) }),
                (.uppercased, { context, _, arguments in SQLiteFunctions.apply(.uppercased, context, arguments) }),
                (.trimmed, { context, _, arguments in SQLiteFunctions.apply(.trimmed, context, arguments) }),
                (.absolute, { context, _, arguments in SQLiteFunctions.apply(.absolute, context, arguments) }),
            ]
        // The results of these functions depend only on their arguments. SQLite evaluates a deterministic function of
        // constants before it reads a row, and an error would then not belong to any row. Therefore functions that may
        // fail are not deterministic.
        let deterministic = flags | SQLITE_DETERMINISTIC
        return functions.map { function, body in
            sqlite3_create_function_v2(
                database, name(function), 1, function == .absolute ? flags : deterministic, nil, body, nil, nil, nil)
        } + [
            sqlite3_create_function_v2(
                database, roundName, 3, flags, nil,
                { context, _, arguments in SQLiteFunctions.round(context, arguments) }, nil, nil, nil),
            sqlite3_create_function_v2(
                database, orderName, 2, deterministic, nil,
                { context, _, arguments in SQLiteFunctions.order(context, arguments) }, nil, nil, nil),
        ]
    }

    /// Sets the result of an SQL function; for a decimal, the argument is an integer, and another argument contains the
    /// scale if the function needs it.
    private static func apply(
        _ function: FetchFunction, _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let arguments else { return }
        give(context) { try function.apply(string(arguments[0]).map(StoredValue.string) ?? value(arguments[0])) }
    }

    private static func round(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let arguments else { return }
        let bounds = FetchFunction.digits
        let digits = min(max(bounds.lowerBound, Int(sqlite3_value_int(arguments[1]))), bounds.upperBound)
        let (function, scale) = (FetchFunction.rounded(digits: digits), scale(arguments[2]))
        give(context) {
            guard case .integer(let unscaled) = value(arguments[0]) else {
                return try function.apply(value(arguments[0]))
            }
            return try function.apply(.decimal(ScaledDecimal(unscaled: unscaled, scale: scale)))
        }
    }

    private static func order(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let arguments, let format = string(arguments[1]).flatMap(TextFormat.init) else { return }
        give(context) {
            try FetchFunction.inOrder(of: format).apply(string(arguments[0]).map(StoredValue.string) ?? .null)
        }
    }

    private static func give(_ context: OpaquePointer?, _ result: () throws -> StoredValue) {
        do {
            switch try result() {
            case .integer(let number): sqlite3_result_int64(context, number)
            case .decimal(let number): sqlite3_result_int64(context, number.unscaled)
            case .double(let number): sqlite3_result_double(context, number)
            case .string(var text):
                text.withUTF8 { strata_result_text(context, $0.baseAddress, UInt64($0.count)) }
            default: sqlite3_result_null(context)
            }
        } catch {
            fail(context, error)
        }
    }
}
