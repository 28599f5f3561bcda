import CStrataSQLite
import StrataCore
import StrataStoreKit

/// The SQL aggregates `decimal_sum` and `decimal_avg` of queries, which add decimals in text form exactly.
enum SQLiteDecimalAggregates {
    /// The running sum of one group.
    private final class Sum {
        var unscaled: Int128 = 0
        var scale: UInt8 = 0
        var count: Int64 = 0
        /// A Boolean value that indicates whether the sum does not fit in 128 bits.
        var overflows = false
        /// A Boolean value that indicates whether a value was no decimal.
        var isInvalid = false

        func add(_ number: ScaledDecimal) {
            let common = max(scale, number.scale)
            let (sum, sumOverflow) = unscaled.multipliedReportingOverflow(
                by: Int128(PowersOfTen.power(ofScale: common - scale)))
            let (value, valueOverflow) = Int128(number.unscaled).multipliedReportingOverflow(
                by: Int128(PowersOfTen.power(ofScale: common - number.scale)))
            let (result, overflow) = sum.addingReportingOverflow(value)
            if sumOverflow || valueOverflow || overflow { overflows = true }
            (unscaled, scale, count) = (result, common, count + 1)
        }
    }

    static func register(on database: OpaquePointer) throws {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        let codes = [
            sqlite3_create_function_v2(
                database, "decimal_sum", 1, flags, nil, nil,
                { context, _, arguments in SQLiteDecimalAggregates.step(context, arguments) },
                { context in SQLiteDecimalAggregates.finish(context, isAverage: false) }, nil),
            sqlite3_create_function_v2(
                database, "decimal_avg", 1, flags, nil, nil,
                { context, _, arguments in SQLiteDecimalAggregates.step(context, arguments) },
                { context in SQLiteDecimalAggregates.finish(context, isAverage: true) }, nil),
        ]
        guard codes.allSatisfy({ $0 == SQLITE_OK }) else {
            throw PersistenceError(.database, "SQLite rejected the registration of the SQL functions of queries")
        }
    }

    /// Returns the place in which SQLite keeps the reference to the sum of the current group.
    ///
    /// SAFETY: SQLite returns the same memory of this size, filled with zeros, for all calls of one group, and calls
    /// `finish` once for each group. The memory retains the object until then.
    private static func place(
        _ context: OpaquePointer?, creates: Bool
    ) -> UnsafeMutablePointer<Unmanaged<Sum>?>? {
        let size = creates ? Int32(MemoryLayout<Unmanaged<Sum>?>.size) : 0
        return sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: Unmanaged<Sum>?.self)
    }

    private static func step(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let arguments, let place = place(context, creates: true) else { return }
        if place.pointee == nil { place.pointee = Unmanaged.passRetained(Sum()) }
        guard let sum = place.pointee?.takeUnretainedValue() else { return }
        switch sqlite3_value_type(arguments[0]) {
        case SQLITE_NULL: break
        case SQLITE_INTEGER: sum.add(ScaledDecimal(unscaled: sqlite3_value_int64(arguments[0]), scale: 0))
        default:
            if let number = SQLiteFunctions.string(arguments[0]).flatMap({ ScaledDecimal($0) }) {
                sum.add(number)
            } else {
                sum.isInvalid = true
            }
        }
    }

    private static func finish(_ context: OpaquePointer?, isAverage: Bool) {
        guard let place = place(context, creates: false), let sum = place.pointee?.takeRetainedValue() else {
            sqlite3_result_null(context)
            return
        }
        place.pointee = nil
        if sum.overflows { return SQLiteFunctions.fail(context, FetchArithmetic.overflow) }
        if sum.isInvalid {
            let message = "decimal_sum() and decimal_avg() accept decimals in text form and whole numbers"
            return sqlite3_result_error(context, message, -1)
        }
        guard sum.count > 0 else { return sqlite3_result_null(context) }
        do {
            var text: String
            if isAverage {
                text = "\(try AggregateValue.average(sum.unscaled, sum.count, sum.scale))"
            } else {
                guard let unscaled = Int64(exactly: sum.unscaled) else { throw FetchArithmetic.overflow }
                text = ScaledDecimal(unscaled: unscaled, scale: sum.scale).description
            }
            text.withUTF8 { strata_result_text(context, $0.baseAddress, UInt64($0.count)) }
        } catch {
            SQLiteFunctions.fail(context, error)
        }
    }
}
