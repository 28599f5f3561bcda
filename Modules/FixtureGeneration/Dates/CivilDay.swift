import StrataCore

/// Functions for days that are counted from Monday, 2001-01-01, in the years 0 to 9999, without the platform's
/// calendars.
package enum CivilDay {
    static let secondsInDay = Int64(DateText.secondsInDay)

    /// Returns the day number of a date, or `nil` if the date does not exist.
    ///
    /// - Parameters:
    ///   - year: The year, from 0 to 9999.
    ///   - month: The month, from 1 to 12.
    ///   - day: The day, from 1 to the last day of the month.
    /// - Returns: The number of days from 2001-01-01 to the date.
    static func day(year: Int, month: Int, day: Int) -> Int64? {
        guard (0...9999).contains(year), (1...12).contains(month),
            (1...CalendarDay.length(ofMonth: month, year: year)).contains(day)
        else { return nil }
        return Int64(CalendarDay(year: year, month: month, day: day).daysSinceReferenceDay)
    }

    /// Returns the year, month and day of a day number.
    static func date(_ day: Int64) -> (year: Int, month: Int, day: Int) {
        let day = CalendarDay(daysSinceReferenceDay: Int(day))
        return (day.year, day.month, day.day)
    }

    /// Returns the day of the week of a day number, 0 for Monday.
    static func weekday(_ day: Int64) -> Int {
        Int(day) - 7 * Int(day).flooredQuotient(by: 7)
    }
}

extension CivilDay {
    /// Returns the first instant of a year; the year is clamped to 0...9999.
    package static func beginning(_ year: Int) -> FixtureInstant {
        let seconds = (day(year: min(max(year, 0), 9999), month: 1, day: 1) ?? 0) * secondsInDay
        return FixtureInstant(seconds: seconds) ?? FixtureInstant.range.lowerBound
    }
}

extension Int64 {
    /// Returns the smallest multiple of a step that is not less than this integer.
    func roundedUp(to step: Int64) -> Int64 {
        let rest = self % step
        return rest == 0 ? self : self - rest + (rest > 0 ? step : 0)
    }
}
