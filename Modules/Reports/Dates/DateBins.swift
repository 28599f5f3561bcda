import Foundation
import StrataCore

/// Bins for instants: days, months, years, or whole numbers of years, whichever shows the span best.
struct DateBins: Equatable {
    /// What one bin holds.
    enum Unit: Equatable {
        case day
        case month
        /// So many years, beginning with one that is a multiple of it.
        case years(Int)
    }

    /// A quarter of a year by days, forty years by months, and as many columns as are told apart beyond.
    private static let mostDays = 92
    private static let mostMonths = 480
    private static let mostYears = 120

    /// What one bin holds.
    let unit: Unit
    private let first: Int
    /// How many bins there are, at least 1.
    let count: Int

    /// The bins for the instants from one to another, both within the calendar.
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

    /// The bin of an instant; nil beyond the calendar.
    func index(of date: Date) -> Int? {
        guard CalendarDay(date) != nil else { return nil }
        return min(max(Self.place(of: date, unit) - first, 0), count - 1)
    }

    /// What a bin is called: `2003-06-17`, `2003-06`, `2003` or `2000–2009`.
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

    /// Where a label may stand: the bin and its text, no more of them than asked for.
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

    private static func place(of date: Date, _ unit: Unit) -> Int {
        guard let day = CalendarDay(date) else { return 0 }
        switch unit {
        case .day: return CalendarDay.daysSinceReferenceDay(date)
        case .month: return day.monthNumber
        case .years(let count): return day.year.flooredQuotient(by: count)
        }
    }
}
