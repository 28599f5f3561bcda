import Foundation

/// A day of the proleptic Gregorian calendar in UTC, by whole-number arithmetic only.
///
/// No calendar of the system is asked: the same instant is the same day on every machine.
struct CalendarDay: Equatable {
    /// The year as in ISO 8601: 0 is the year before 1.
    let year: Int
    /// 1 to 12.
    let month: Int
    /// 1 to 31.
    let day: Int

    /// The years that a page speaks of; instants beyond them are only counted.
    static let years = -999_999...999_999
    private static let secondsInDay: Double = 86_400
    /// From the 1st of March of the year 0 to the 1st of January 2001.
    private static let daysFromYearZero = 730_791
    private static let daysInCycle = 146_097

    /// The day of an instant; nil beyond ``years``.
    init?(_ date: Date) {
        let days = (date.timeIntervalSinceReferenceDate / Self.secondsInDay).rounded(.down)
        // A million years have fewer days.
        guard days.magnitude < 4e8 else { return nil }
        self.init(daysSinceReferenceDay: Int(days))
        guard Self.years.contains(year) else { return nil }
    }

    /// The day that is that many days after (or before) 2001-01-01.
    init(daysSinceReferenceDay days: Int) {
        // Counted from a 1st of March, so that leap days end a year, a century and a cycle
        // (Howard Hinnant, “chrono-Compatible Low-Level Date Algorithms”).
        let shifted = days + Self.daysFromYearZero
        let cycle = shifted.quotientBelow(Self.daysInCycle)
        let rest = shifted - cycle * Self.daysInCycle
        let yearOfCycle = (rest - rest / 1460 + rest / 36_524 - rest / 146_096) / 365
        let dayOfYear = rest - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
    }

    /// Days since 2001-01-01.
    static func daysSinceReferenceDay(_ date: Date) -> Int {
        Int((date.timeIntervalSinceReferenceDate / secondsInDay).rounded(.down))
    }

    /// Months since January of the year 0.
    var monthNumber: Int { year * 12 + month - 1 }

    /// `2003-06-17`; years outside 0000 to 9999 have a sign.
    var text: String { "\(Self.month(monthNumber))-\(Self.twoDigits(day))" }

    /// `2003-06`, of a number of months since January of the year 0.
    static func month(_ number: Int) -> String {
        let year = number.quotientBelow(12)
        return "\(Self.year(year))-\(twoDigits(number - year * 12 + 1))"
    }

    /// `2003`, `0044` or `−0043`.
    static func year(_ year: Int) -> String {
        let digits = String(year.magnitude)
        let sign = year < 0 ? "\u{2212}" : year > 9999 ? "+" : ""
        return sign + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Int {
    /// The quotient rounded down, of a positive divisor.
    func quotientBelow(_ divisor: Int) -> Int {
        let quotient = self / divisor
        return quotient * divisor > self ? quotient - 1 : quotient
    }
}
