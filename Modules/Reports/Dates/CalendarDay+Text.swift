import Foundation
import StrataCore

extension CalendarDay {
    /// The years that a page shows; instants in other years are only counted.
    static let years = -999_999...999_999
    /// The length of a day in seconds; Foundation's dates have no leap seconds.
    private static let secondsInDay: Double = 86_400

    /// Creates the day of an instant, or returns `nil` if its year is not in ``years``.
    init?(_ date: Date) {
        let days = (date.timeIntervalSinceReferenceDate / Self.secondsInDay).rounded(.down)
        // One million years have fewer than 4e8 days.
        guard days.magnitude < 4e8 else { return nil }
        self.init(daysSinceReferenceDay: Int(days))
        guard Self.years.contains(year) else { return nil }
    }

    /// Returns the number of days since 2001-01-01.
    static func daysSinceReferenceDay(_ date: Date) -> Int {
        Int((date.timeIntervalSinceReferenceDate / secondsInDay).rounded(.down))
    }

    /// The number of months since January of the year 0.
    var monthNumber: Int { year * 12 + month - 1 }

    /// The text of the form `2003-06-17`; years outside 0000 to 9999 have a sign.
    var text: String { "\(Self.month(monthNumber))-\(Self.twoDigits(day))" }

    /// Returns the text of a month, such as `2003-06`, from the number of months since January of the year 0.
    static func month(_ number: Int) -> String {
        let year = number.flooredQuotient(by: 12)
        return "\(Self.year(year))-\(twoDigits(number - year * 12 + 1))"
    }

    /// Returns the text of a year: `2003`, `0044` or `−0043`.
    static func year(_ year: Int) -> String {
        let digits = String(year.magnitude)
        let sign = year < 0 ? "\u{2212}" : year > 9999 ? "+" : ""
        return sign + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }

    /// Returns a number below 100 with two digits.
    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
