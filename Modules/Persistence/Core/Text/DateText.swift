/// Dates as text: ISO 8601, in UTC when written.
///
/// A date read is the `Date` nearest to the text's instant, and a date written has the fewest digits that read back as
/// the same date. Both need no calendar and no time zone of the system, and no memory.
public enum DateText {
    /// The years that a text can hold.
    static let years = -999_999...999_999

    /// The seconds from the reference date to the first instant of year -999999, and to the last of year 999999.
    static let seconds: ClosedRange<Int64> = {
        let first = CalendarDay(year: years.lowerBound, month: 1, day: 1).daysSinceReferenceDay
        let last = CalendarDay(year: years.upperBound, month: 12, day: 31).daysSinceReferenceDay
        return Int64(first * secondsInDay)...Int64(last * secondsInDay + secondsInDay - 1)
    }()

    package static let secondsInDay = 86_400
    static let nanosecondsInSecond = 1_000_000_000
    static let maximumFractionDigits = 9
}
