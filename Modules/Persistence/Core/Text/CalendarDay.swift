/// A day of the proleptic Gregorian calendar, and its distance from 2001-01-01 in days.
///
/// It uses whole-number arithmetic only. 2001 is the first year of a cycle of 400 years. The leap day of each four
/// years, and the omitted one of each century, are therefore at the end of their period.
package struct CalendarDay: Equatable {
    /// The year as in ISO 8601: 0 is the year before 1.
    package let year: Int
    /// The month, from 1 to 12.
    package let month: Int
    /// The day of the month, from 1 to ``length(ofMonth:year:)``.
    package let day: Int

    @usableFromInline static let daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]
    /// The count of days from March 1 of the year 0 to January 1, 2001.
    @usableFromInline static let daysFromYearZero = 730_791
    @usableFromInline static let daysInCycle = 146_097

    /// Creates a day from components that are known to be valid.
    @inlinable
    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates the day at a distance in days from 2001-01-01; a negative distance is before that day.
    @inlinable
    package init(daysSinceReferenceDay days: Int) {
        // Days are counted from March 1 of the year 0, so that a leap day ends a year, a century and a cycle, and one
        // formula yields the lengths of months (Howard Hinnant, “chrono-Compatible Low-Level Date Algorithms”).
        let shifted = days + Self.daysFromYearZero
        let cycle = shifted.flooredQuotient(by: Self.daysInCycle)
        let rest = UInt32(truncatingIfNeeded: shifted - cycle * Self.daysInCycle)
        let yearOfCycle = (rest - rest / 1460 + rest / 36_524 - rest / 146_096) / 365
        let dayOfYear = rest - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * shiftedMonth + 2) / 5) + 1
        month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
        year = cycle * 400 + Int(yearOfCycle) + (month <= 2 ? 1 : 0)
    }

    /// The count of days from 2001-01-01 to this day; negative if this day is earlier.
    @inlinable
    package var daysSinceReferenceDay: Int {
        let years = year - 2001
        let cycle = years.flooredQuotient(by: 400)
        let rest = years - cycle * 400
        let wholeYears = cycle * Self.daysInCycle + rest * 365 + rest / 4 - rest / 100
        return wholeYears + Self.days(beforeMonth: month - 1, isLeap: Self.isLeap(year)) + day - 1
    }

    /// Returns a Boolean value that indicates whether a year has a February 29.
    @inlinable
    package static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// Returns the number of days in a month; months are numbered from 1 to 12.
    @inlinable
    package static func length(ofMonth month: Int, year: Int) -> Int {
        let isLeap = isLeap(year)
        return days(beforeMonth: month, isLeap: isLeap) - days(beforeMonth: month - 1, isLeap: isLeap)
    }

    /// Returns the count of days of a year before a month; January is month 0.
    @usableFromInline
    static func days(beforeMonth month: Int, isLeap: Bool) -> Int {
        daysBeforeMonth[month] + (isLeap && month >= 2 ? 1 : 0)
    }
}

extension Int {
    /// Returns the quotient rounded toward negative infinity; the divisor must be positive.
    @inlinable
    package func flooredQuotient(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
