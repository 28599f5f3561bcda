import CStrataSQLite
import Foundation
import StrataCore
import StrataStoreKit

/// The SQL functions of conditions that convert a value, where SQLite has no suitable function.
extension SQLiteFunctions {
    static func name(_ function: FetchFunction) -> String { "strata_\(function.name)" }
    /// The name of `strata_round(number, digits, scale)`, which rounds a number; `scale` is that of a decimal.
    static let roundName = "strata_round"
    /// The name of `strata_order(text, format)`, which returns the key by which texts of a format are ordered.
    static let orderName = "strata_order"

    /// The name of `strata_sum(upper, lower)`, which returns the sum of integers by the sums of their upper and lower
    /// 32 bits.
    static let sumName = "strata_sum"
    /// The name of `strata_average(upper, lower, count, scale)`; the scale is that of decimals, or null for integers.
    static let averageName = "strata_average"
    /// The name of `strata_finite(number, count)`, which returns a sum or an average of `count` doubles if it is
    /// finite.
    static let finiteName = "strata_finite"
    /// The name of `strata_ordered(text)`, which returns the part of a text after its first U+0000.
    static let orderedName = "strata_ordered"

    static func registerFunctions(on database: OpaquePointer, flags: Int32) -> [Int32] {
        let functions:
            [(FetchFunction, @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void)] = [
                (.lowercased, { context, _, arguments in SQLiteFunctions.apply(.lowercased, context, arguments) }),
                (.uppercased, { context, _, arguments in SQLiteFunctions.apply(.uppercased, context, arguments) }),
                (.trimmed, { context, _, arguments in SQLiteFunctions.apply(.trimmed, context, arguments) }),
                (.absolute, { context, _, arguments in SQLiteFunctions.apply(.absolute, context, arguments) }),
                (.year, { context, _, arguments in SQLiteFunctions.applyToDate(.year, context, arguments) }),
                (.yearMonth, { context, _, arguments in SQLiteFunctions.applyToDate(.yearMonth, context, arguments) }),
                (.day, { context, _, arguments in SQLiteFunctions.applyToDate(.day, context, arguments) }),
            ]
        let mayFail: [FetchFunction] = [.absolute, .year, .yearMonth, .day]
        // The results of these functions depend only on their arguments. SQLite evaluates a deterministic function of
        // constants before it reads a row, and an error would then not belong to any row. Therefore functions that may
        // fail are not deterministic.
        let deterministic = flags | SQLITE_DETERMINISTIC
        return functions.map { function, body in
            sqlite3_create_function_v2(
                database, name(function), 1, mayFail.contains(function) ? flags : deterministic, nil, body, nil, nil,
                nil)
        } + [
            sqlite3_create_function_v2(
                database, sumName, 2, flags, nil,
                { context, _, arguments in SQLiteFunctions.sum(context, arguments) }, nil, nil, nil),
            sqlite3_create_function_v2(
                database, averageName, 4, flags, nil,
                { context, _, arguments in SQLiteFunctions.average(context, arguments) }, nil, nil, nil),
            sqlite3_create_function_v2(
                database, finiteName, 2, flags, nil,
                { context, _, arguments in SQLiteFunctions.finite(context, arguments) }, nil, nil, nil),
            sqlite3_create_function_v2(
                database, orderedName, 1, deterministic, nil,
                { context, _, arguments in SQLiteFunctions.ordered(context, arguments) }, nil, nil, nil),
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

    /// Sets the result of a function of a date, which is stored as its seconds.
    private static func applyToDate(
        _ function: FetchFunction, _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let arguments else { return }
        give(context) {
            guard case .double(let seconds) = value(arguments[0]) else { return .null }
            return try function.apply(.date(Date(timeIntervalSinceReferenceDate: seconds)))
        }
    }

    // MARK: Aggregates

    /// Returns the sum of integers by the sums of their upper and lower 32 bits; `nil` without integers.
    private static func exactSum(_ arguments: UnsafeMutablePointer<OpaquePointer?>) -> Int128? {
        guard case .integer(let upper) = value(arguments[0]), case .integer(let lower) = value(arguments[1]) else {
            return nil
        }
        return Int128(upper) << 32 + Int128(lower)
    }

    private static func sum(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let arguments else { return }
        give(context) {
            guard let sum = exactSum(arguments) else { return .null }
            guard let result = Int64(exactly: sum) else { throw FetchArithmetic.overflow }
            return .integer(result)
        }
    }

    private static func average(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let arguments else { return }
        give(context) {
            guard let sum = exactSum(arguments), case .integer(let count) = value(arguments[2]), count > 0 else {
                return .null
            }
            let isDecimal = sqlite3_value_type(arguments[3]) != SQLITE_NULL
            return try AggregateValue.average(sum, count, isDecimal ? scale(arguments[3]) : nil)
        }
    }

    private static func finite(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let arguments else { return }
        give(context) {
            guard case .integer(let count) = value(arguments[1]), count > 0 else { return .null }
            // SQLite returns null for a sum that is not a number.
            guard case .double(let number) = value(arguments[0]), number.isFinite else {
                throw FetchArithmetic.overflow
            }
            return .double(number + 0)
        }
    }

    private static func ordered(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let arguments else { return }
        give(context) {
            guard let text = string(arguments[0]), let mark = text.unicodeScalars.firstIndex(of: "\0") else {
                return .null
            }
            return .string(String(text.unicodeScalars[text.unicodeScalars.index(after: mark)...]))
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
            case .day(let day):
                var text = day.description
                text.withUTF8 { strata_result_text(context, $0.baseAddress, UInt64($0.count)) }
            default: sqlite3_result_null(context)
            }
        } catch {
            fail(context, error)
        }
    }
}
