import Foundation
import StrataCore

/// Bins for instants, each with the length of a day, a month, or an integer number of years, depending on the span.
///
/// Years are those of the proleptic Gregorian calendar, and days are those of UTC. The bins have the smallest length at
/// which the number of bins does not exceed the maximum for that length. They depend only on the first and the last
/// instant, and each bin between the two exists, even if it is empty.
struct DateBins: Equatable {
    /// The length of a bin.
    enum Unit: Equatable {
        case day
        case month
        /// A number of years; each bin begins in a year that is a multiple of this number.
        case years(Int)
    }

    /// The maximum number of bins by unit: a quarter of a year in days, 40 years in months, and 120 columns of years.
    private static let mostDays = 92
    private static let mostMonths = 480
    private static let mostYears = 120

    /// The length of each bin.
    let unit: Unit
    /// The number of the first bin, counted in units from the beginning of the calendar.
    private let first: Int
    /// The number of bins, at least 1.
    let count: Int

    /// Creates the bins for the instants between two instants, both within the calendar.
    init(_ least: Date, _ greatest: Date) {
        var unit = Unit.day
        var limit = Self.mostDays
        func places() -> ClosedRange<Int> {
            let low = Self.place(of: least, unit)
            return low...max(low, Self.place(of: greatest, unit))
        }
        if places().count > limit { (unit, limit) = (.month, Self.mostMonths) }
        if places().count > limit { (unit, limit) = (.years(1), Self.mostYears) }
        var steps = [2, 5, 10]
        var power = 1
        while places().count > limit {
            unit = .years(steps.removeFirst() * power)
            if steps.isEmpty {
                steps = [2, 5, 10]
                power *= 10
            }
        }
        self.unit = unit
        first = places().lowerBound
        count = places().count
    }

    /// Returns the bin of an instant, or `nil` if its year is outside the calendar.
    func index(of date: Date) -> Int? {
        guard CalendarDay(date) != nil else { return nil }
        return min(max(Self.place(of: date, unit) - first, 0), count - 1)
    }

    /// Returns the name of a bin: `2003-06-17`, `2003-06`, `2003` or `2000–2009`.
    func name(_ index: Int) -> String {
        let place = first + index
        switch unit {
        case .day: return CalendarDay(daysSinceReferenceDay: place).text
        case .month: return CalendarDay.month(place)
        case .years(1): return CalendarDay.year(place)
        case .years(let count):
            return "\(CalendarDay.year(place * count))–\(CalendarDay.year(place * count + count - 1))"
        }
    }

    /// Returns labels with the indexes of their bins, at most a given number of them.
    ///
    /// Labels of months and years are at round places, such as every fifth year. Labels of days begin at the first bin.
    ///
    /// - Parameter most: The maximum number of labels, at least 1.
    /// - Returns: The labels in ascending order.
    func labels(atMost most: Int) -> [(index: Int, text: String)] {
        let all = 0..<count
        switch unit {
        case .day:
            let step = max(1, (count + most - 1) / most)
            return all.filter { $0.isMultiple(of: step) }.map { ($0, name($0)) }
        case .month where count <= 24:
            let step = [1, 2, 3, 6, 12].first { (count + $0 - 1) / $0 <= most } ?? 12
            return all.filter { (first + $0).isMultiple(of: step) }.map { ($0, name($0)) }
        case .month: return years(perBin: 1, binsPerYear: 12, atMost: most)
        case .years(let years): return self.years(perBin: years, binsPerYear: 1, atMost: most)
        }
    }

    /// Returns labels at multiples of 1, 2, 5, 10 and so on years, in the smallest step that results in few enough
    /// labels.
    private func years(perBin: Int, binsPerYear: Int, atMost most: Int) -> [(index: Int, text: String)] {
        var step = 1
        var steps = [2, 5, 10]
        var power = 1
        func found() -> [Int] {
            (0..<count).filter { index in
                let place = first + index
                return place.isMultiple(of: binsPerYear) && (place / binsPerYear * perBin).isMultiple(of: step)
            }
        }
        while found().count > most {
            step = steps.removeFirst() * power
            if steps.isEmpty {
                steps = [2, 5, 10]
                power *= 10
            }
        }
        return found().map { ($0, CalendarDay.year((first + $0) / binsPerYear * perBin)) }
    }

    /// Returns the number of the bin that contains an instant, in a unit.
    private static func place(of date: Date, _ unit: Unit) -> Int {
        guard let day = CalendarDay(date) else { return 0 }
        switch unit {
        case .day: return CalendarDay.daysSinceReferenceDay(date)
        case .month: return day.monthNumber
        case .years(let count): return day.year.flooredQuotient(by: count)
        }
    }
}
