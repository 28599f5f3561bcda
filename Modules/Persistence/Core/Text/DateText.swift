/// Dates as text: ISO 8601, written in UTC.
///
/// Parsing returns the `Date` that is nearest to the text's instant. Writing produces the fewest digits that parse to
/// the same date. Both work without the system's calendar and time zones, and without allocation.
public enum DateText {
    /// The range of years that a text can contain.
    static let years = -999_999...999_999

    /// The range of seconds from the reference date: the first instant of year -999999 to the last of year 999999.
    static let seconds: ClosedRange<Int64> = {
        let first = CalendarDay(year: years.lowerBound, month: 1, day: 1).daysSinceReferenceDay
        let last = CalendarDay(year: years.upperBound, month: 12, day: 31).daysSinceReferenceDay
        return Int64(first * secondsInDay)...Int64(last * secondsInDay + secondsInDay - 1)
    }()

    package static let secondsInDay = 86_400
    static let nanosecondsInSecond = 1_000_000_000
    static let maximumFractionDigits = 9
}
