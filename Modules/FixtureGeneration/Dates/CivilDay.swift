import StrataCore

/// Days counted from 2001-01-01, a Monday, in the years that descriptions write; no calendar of the platform has a say.
package enum CivilDay {
    static let secondsInDay = Int64(DateText.secondsInDay)

    /// The day of a date; `nil` where there is no such date.
    ///
    /// - Parameters:
    ///   - year: 0 to 9999.
    ///   - month: 1 to 12.
    ///   - day: 1 to the month's last.
    /// - Returns: The days since 2001-01-01.
    static func day(year: Int, month: Int, day: Int) -> Int64? {
        guard (0...9999).contains(year), (1...12).contains(month),
            (1...CalendarDay.length(ofMonth: month, year: year)).contains(day)
        else { return nil }
        return Int64(CalendarDay(year: year, month: month, day: day).daysSinceReferenceDay)
    }

    /// The year, month and day of a day.
    static func date(_ day: Int64) -> (year: Int, month: Int, day: Int) {
        let day = CalendarDay(daysSinceReferenceDay: Int(day))
        return (day.year, day.month, day.day)
    }

    /// The day of the week, 0 for Monday.
    static func weekday(_ day: Int64) -> Int {
        Int(day) - 7 * Int(day).flooredQuotient(by: 7)
    }
}

extension CivilDay {
    /// The beginning of a year from 0 to 9999; brought into them.
    package static func beginning(_ year: Int) -> FixtureInstant {
        let seconds = (day(year: min(max(year, 0), 9999), month: 1, day: 1) ?? 0) * secondsInDay
        return FixtureInstant(seconds: seconds) ?? FixtureInstant.range.lowerBound
    }
}

extension Int64 {
    /// The first multiple of a step that is not less.
    func roundedUp(to step: Int64) -> Int64 {
        let rest = self % step
        return rest == 0 ? self : self - rest + (rest > 0 ? step : 0)
    }
}
