/// A day of the proleptic Gregorian calendar, and its distance to 2001-01-01 in days.
///
/// Whole-number arithmetic only. 2001 is the first year of a cycle of 400 years, so the leap days of each four years, and the
/// missing ones of each century, are at the end of their period.
struct CalendarDay: Equatable {
    /// The year as in ISO 8601: 0 is the year before 1.
    let year: Int
    /// 1 to 12.
    let month: Int
    /// 1 to ``length(ofMonth:year:)``.
    let day: Int

    private static let daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]
    private static let daysInFourYears = 1_461
    private static let daysInCentury = 36_524
    private static let daysInCycle = 146_097

    /// A day that is known to be valid.
    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that is that many days after (or before) 2001-01-01.
    init(daysSinceReferenceDay days: Int) {
        let cycle = days.flooredQuotient(by: Self.daysInCycle)
        var rest = days - cycle * Self.daysInCycle
        let century = min(rest / Self.daysInCentury, 3)
        rest -= century * Self.daysInCentury
        let fourYears = rest / Self.daysInFourYears
        rest -= fourYears * Self.daysInFourYears
        let single = min(rest / 365, 3)
        rest -= single * 365

        year = 2001 + cycle * 400 + century * 100 + fourYears * 4 + single
        let isLeap = Self.isLeap(year)
        // Counted from 0. No month has more than 31 days, so this is the month or the one before it.
        var month = rest / 32
        if rest >= Self.days(beforeMonth: month + 1, isLeap: isLeap) { month += 1 }
        self.month = month + 1
        day = rest - Self.days(beforeMonth: month, isLeap: isLeap) + 1
    }

    /// The number of days from 2001-01-01; negative before it.
    var daysSinceReferenceDay: Int {
        let years = year - 2001
        let cycle = years.flooredQuotient(by: 400)
        let rest = years - cycle * 400
        let wholeYears = cycle * Self.daysInCycle + rest * 365 + rest / 4 - rest / 100
        return wholeYears + Self.days(beforeMonth: month - 1, isLeap: Self.isLeap(year)) + day - 1
    }

    /// Whether the year has a 29th of February.
    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// The number of days of a month, 1 to 12.
    static func length(ofMonth month: Int, year: Int) -> Int {
        let isLeap = isLeap(year)
        return days(beforeMonth: month, isLeap: isLeap) - days(beforeMonth: month - 1, isLeap: isLeap)
    }

    /// The days of a year before a month, counted from 0 here.
    private static func days(beforeMonth month: Int, isLeap: Bool) -> Int {
        daysBeforeMonth[month] + (isLeap && month >= 2 ? 1 : 0)
    }
}

extension Int {
    /// The quotient rounded towards negative infinity; the divisor is positive.
    func flooredQuotient(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
