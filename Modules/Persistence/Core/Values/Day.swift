public import Foundation

/// A day of the calendar, without a time and without a zone: a birthday, a due date.
///
/// A `Date` is an instant, which is another day elsewhere on Earth; a day is the same everywhere. The calendar is the
/// Gregorian one, also for days before its introduction. Years are 0 to 9999; the year 0 is the one before 1.
///
/// ```swift
/// let day = try Day(year: 2000, month: 2, day: 29)
/// let next = try Day(year: 2000, month: 3, day: 1)  // next > day
/// ```
///
/// Stores keep a day as its text, whose byte order is the order of days. A day is `Strideable`, so that ranges of days
/// can be iterated. All operations are in constant time, and none depends on the system's calendar, locale or time
/// zone.
///
/// ## Topics
///
/// ### Creating a day
///
/// - ``init(year:month:day:)``
/// - ``init(clampingYear:month:day:)``
/// - ``init(_:)``
/// - ``init(utc:)``
/// - ``init(daysSinceReferenceDay:)``
///
/// ### Parts
///
/// - ``year``
/// - ``month``
/// - ``day``
///
/// ### Calculating
///
/// - ``adding(days:)``
/// - ``adding(months:)``
/// - ``adding(years:)``
/// - ``advanced(by:)``
/// - ``distance(to:)``
///
/// ### Converting
///
/// - ``description``
/// - ``startInUTC``
/// - ``daysSinceReferenceDay``
public struct Day: Sendable, Hashable {
    /// The year, month and day in the bits of one number, in this order, so that days compare as these numbers do.
    private let packed: Int32

    /// The year, 0 to 9999.
    public var year: Int { Int(packed >> 9) }
    /// The month, 1 to 12.
    public var month: Int { Int(packed >> 5 & 0xF) }
    /// The day of the month, 1 to 31.
    public var day: Int { Int(packed & 0x1F) }

    /// Creates a day from its parts.
    ///
    /// - Parameters:
    ///   - year: 0 to 9999.
    ///   - month: 1 to 12.
    ///   - day: 1 to the number of days in the month of that year.
    /// - Throws: ``ValueError`` that names the part that is out of its range.
    public init(year: Int, month: Int, day: Int) throws(ValueError) {
        guard DayText.years.contains(year) else { throw ValueError("year \(year) is not in 0...9999") }
        guard 1...12 ~= month else { throw ValueError("month \(month) is not in 1...12") }
        let length = CalendarDay.length(ofMonth: month, year: year)
        guard 1...length ~= day else {
            throw ValueError("day \(day) is not in 1...\(length), the days of month \(month) of \(year)")
        }
        self.init(unchecked: CalendarDay(year: year, month: month, day: day))
    }

    /// Creates a day from its parts; a part outside of its range is replaced by the nearest valid number.
    ///
    /// Use this initializer for days that are literals in code. For input, use ``init(year:month:day:)``, which throws
    /// an error.
    public init(clampingYear year: Int, month: Int, day: Int) {
        let year = min(max(year, DayText.years.lowerBound), DayText.years.upperBound)
        let month = min(max(month, 1), 12)
        let day = min(max(day, 1), CalendarDay.length(ofMonth: month, year: year))
        self.init(unchecked: CalendarDay(year: year, month: month, day: day))
    }

    /// Creates the day in UTC that contains an instant; `nil` if it is outside the years 0 to 9999.
    ///
    /// For the day in another time zone, use the parts that a `Calendar` with that zone returns.
    ///
    /// - Parameter date: The instant; midnight belongs to the day that begins.
    public init?(utc date: Date) {
        let days = (date.timeIntervalSinceReferenceDate / Double(DateText.secondsInDay)).rounded(.down)
        guard let days = Int(exactly: days) else { return nil }
        self.init(daysSinceReferenceDay: days)
    }

    /// Creates the day that is a count of days after 2001-01-01, or before it; `nil` outside the years 0 to 9999.
    ///
    /// - Parameter days: The count of days from 2001-01-01; a negative count is before it.
    public init?(daysSinceReferenceDay days: Int) {
        // Ten thousand years have fewer days.
        guard days.magnitude < 4_000_000 else { return nil }
        let day = CalendarDay(daysSinceReferenceDay: days)
        guard DayText.years.contains(day.year) else { return nil }
        self.init(unchecked: day)
    }

    /// Creates a day that is known to be in the years 0 to 9999.
    init(unchecked day: CalendarDay) { packed = Int32(day.year << 9 | day.month << 5 | day.day) }

    /// The number of days from 2001-01-01, negative before it.
    public var daysSinceReferenceDay: Int { calendarDay.daysSinceReferenceDay }

    /// The day's midnight in UTC.
    ///
    /// Use it to compare days with instants. It is not midnight in other time zones.
    public var startInUTC: Date {
        Date(timeIntervalSinceReferenceDate: Double(daysSinceReferenceDay * DateText.secondsInDay))
    }

    var calendarDay: CalendarDay { CalendarDay(year: year, month: month, day: day) }
}

extension Day {
    /// Returns the day some days later, or earlier for a negative count; `nil` outside the years 0 to 9999.
    ///
    /// - Parameter days: The count of days, positive, zero or negative; any count is permitted.
    /// - Returns: The day; `nil` if it is before 0000-01-01 or after 9999-12-31.
    public func adding(days: Int) -> Day? {
        let (sum, overflows) = daysSinceReferenceDay.addingReportingOverflow(days)
        return overflows ? nil : Day(daysSinceReferenceDay: sum)
    }

    /// Returns the day some months later, or earlier for a negative count; `nil` outside the years 0 to 9999.
    ///
    /// If the resulting month lacks the day, the result is the last day of that month: a month after January 31 is
    /// February 28 or 29, as in `Calendar.date(byAdding:to:)`.
    ///
    /// - Parameter months: The count of months, positive, zero or negative; any count is permitted.
    /// - Returns: The day; `nil` if it is outside the years 0 to 9999.
    public func adding(months: Int) -> Day? {
        let (sum, overflows) = (year * 12 + month - 1).addingReportingOverflow(months)
        guard !overflows, sum >= 0, DayText.years.contains(sum / 12) else { return nil }
        let (year, month) = (sum / 12, sum % 12 + 1)
        let last = CalendarDay.length(ofMonth: month, year: year)
        return Day(unchecked: CalendarDay(year: year, month: month, day: min(day, last)))
    }

    /// Returns the day some years later, or earlier for a negative count; `nil` outside the years 0 to 9999.
    ///
    /// February 29 becomes February 28 if the resulting year is not a leap year.
    ///
    /// - Parameter years: The count of years, positive, zero or negative; any count is permitted.
    /// - Returns: The day; `nil` if it is outside the years 0 to 9999.
    public func adding(years: Int) -> Day? {
        let (months, overflows) = years.multipliedReportingOverflow(by: 12)
        return overflows ? nil : adding(months: months)
    }
}

extension Day: Strideable {
    /// Returns the number of days to another day; negative if the other day is earlier.
    public func distance(to other: Day) -> Int { other.daysSinceReferenceDay - daysSinceReferenceDay }

    /// Returns the day some days later, or earlier for a negative count.
    ///
    /// If the result would be outside the years 0 to 9999, it is the first or the last day of these years;
    /// ``adding(days:)`` returns `nil` instead.
    public func advanced(by days: Int) -> Day {
        adding(days: days)
            ?? Day(unchecked: CalendarDay(year: days < 0 ? 0 : 9999, month: days < 0 ? 1 : 12, day: days < 0 ? 1 : 31))
    }
}

extension Day: Comparable {
    /// Returns a Boolean value that indicates whether the left day is earlier.
    public static func < (left: Day, right: Day) -> Bool { left.packed < right.packed }
}

extension Day: LosslessStringConvertible {
    /// Creates a day from `2003-06-17` or `20030617`; `nil` for every other text, and for a day that does not exist.
    ///
    /// - Parameter description: Four digits of the year, two of the month and two of the day, without spaces or a time.
    public init?(_ description: String) {
        do throws(InvalidText) {
            self.init(unchecked: try DayText.parse(Array(description.utf8).span))
        } catch {
            return nil
        }
    }

    /// The day as `2003-06-17`.
    public var description: String {
        var buffer = ByteBuffer(capacity: 16)
        DayText.write(calendarDay, to: &buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}

extension Day: Codable {
    /// Creates a day from its decoded text.
    ///
    /// - Throws: `DecodingError` if the text is not a day.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value(Day.self, refusal: DayText.notADay.reason)
    }

    /// Encodes the text of the day.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
