/// Days of the Gregorian calendar, counted from 2001-01-01, a Monday; no calendar of the platform has a say.
enum CivilDay {
    static let secondsInDay: Int64 = 86_400

    /// The day of a date; `nil` where there is no such date.
    ///
    /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013: `days_from_civil`.
    ///
    /// - Parameters:
    ///   - year: 0 to 9999.
    ///   - month: 1 to 12.
    ///   - day: 1 to the month's last.
    /// - Returns: The days since 2001-01-01.
    static func day(year: Int, month: Int, day: Int) -> Int64? {
        guard (0...9999).contains(year), (1...12).contains(month), (1...daysIn(month, of: year)).contains(day) else {
            return nil
        }
        // Years begin in March here, so that a leap day is the last one.
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - daysToReference)
    }

    /// From 0000-03-01 to 2001-01-01.
    private static let daysToReference = 730_791

    /// The year, month and day of a day.
    static func date(_ day: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = Int(day) + daysToReference
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    /// The day of the week, 0 for Monday.
    static func weekday(_ day: Int64) -> Int {
        let rest = Int(day % 7)
        return rest < 0 ? rest + 7 : rest
    }

    private static func daysIn(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CivilDay {
    /// The beginning of a year from 0 to 9999; brought into them.
    static func beginning(_ year: Int) -> FixtureInstant {
        let seconds = (day(year: min(max(year, 0), 9999), month: 1, day: 1) ?? 0) * secondsInDay
        return FixtureInstant(seconds: seconds) ?? FixtureInstant.range.lowerBound
    }
}
