import Foundation
import StrataCore
import StrataStoreKit

/// The way in which the texts of a column with its own spelling are read, determined once per column.
enum SpelledValue: Sendable {
    case whole(NumberSpelling)
    /// A number with a fraction.
    case number(NumberSpelling, any AttributeCoding)
    case date(DatePattern)
    case day(DatePattern)
    case time(DatePattern)
    case boolean(BooleanSpelling)

    /// Reads a text that is not null into a cell.
    ///
    /// - Throws: ``InvalidText`` with the violated rule, for example that the text does not match the date format.
    func set(
        _ bytes: Span<UInt8>, rounding: DateRounding, column: Int, into block: inout RowBlock
    ) throws(InvalidText) {
        switch self {
        case .whole(let spelling):
            let plain = try spelling.plain(bytes)
            block.setInteger(try IntegerText.parse(plain.span), column: column)
        case .number(let spelling, let coding):
            let plain = try spelling.plain(bytes)
            block.set(try coding.parse(plain.span), column: column)
        case .date(let pattern):
            let date = try rounding.date(try pattern.instant(bytes))
            block.setDouble(date.timeIntervalSinceReferenceDate, column: column)
        case .day(let pattern):
            let day = try pattern.day(bytes)
            guard let value = Day(daysSinceReferenceDay: day.daysSinceReferenceDay) else {
                throw InvalidText("out of range (0000-01-01 to 9999-12-31)")
            }
            block.set(.day(value), column: column)
        case .time(let pattern):
            guard let value = TimeOfDay(nanosecondsSinceMidnight: try pattern.nanosecondsOfDay(bytes)) else {
                throw InvalidText("out of range (00:00:00 to 23:59:59.999999999)")
            }
            block.set(.timeOfDay(value), column: column)
        case .boolean(let spelling): block.setInteger(try spelling.parse(bytes) ? 1 : 0, column: column)
        }
    }
}
