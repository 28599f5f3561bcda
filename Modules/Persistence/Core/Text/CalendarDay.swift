/// A day of the proleptic Gregorian calendar, and its distance to 2001-01-01 in days.
///
/// Whole-number arithmetic only. 2001 is the first year of a cycle of 400 years, so the leap days of each four years, and the
/// missing ones of each century, are at the end of their period.
package struct CalendarDay: Equatable {
    /// The year as in ISO 8601: 0 is the year before 1.
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to ``length(ofMonth:year:)``.
    package let day: Int

    @usableFromInline static let daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]
    /// From the 1st of March of the year 0 to the 1st of January 2001.
    @usableFromInline static let daysFromYearZero = 730_791
    @usableFromInline static let daysInCycle = 146_097

    /// A day that is known to be valid.
    @inlinable
    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that is that many days after (or before) 2001-01-01.
    @inlinable
    package init(daysSinceReferenceDay days: Int) {
        // Counted from the 1st of March of a year 0, so that leap days end a year, a century and a cycle, and the lengths of
        // months follow one formula (Howard Hinnant, “chrono-Compatible Low-Level Date Algorithms”).
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

    /// The number of days from 2001-01-01; negative before it.
    @inlinable
    package var daysSinceReferenceDay: Int {
        let years = year - 2001
        let cycle = years.flooredQuotient(by: 400)
        let rest = years - cycle * 400
        let wholeYears = cycle * Self.daysInCycle + rest * 365 + rest / 4 - rest / 100
        return wholeYears + Self.days(beforeMonth: month - 1, isLeap: Self.isLeap(year)) + day - 1
    }

    /// Whether the year has a 29th of February.
    @inlinable
    package static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// The number of days of a month, 1 to 12.
    @inlinable
    package static func length(ofMonth month: Int, year: Int) -> Int {
        let isLeap = isLeap(year)
        return days(beforeMonth: month, isLeap: isLeap) - days(beforeMonth: month - 1, isLeap: isLeap)
    }

    /// The days of a year before a month, counted from 0 here.
    @usableFromInline
    static func days(beforeMonth month: Int, isLeap: Bool) -> Int {
        daysBeforeMonth[month] + (isLeap && month >= 2 ? 1 : 0)
    }
}

extension Int {
    /// The quotient rounded towards negative infinity; the divisor is positive.
    @inlinable
    package func flooredQuotient(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
