import Foundation
import StrataCore

/// What a date format has room for: the parts that it leaves out are zero in everything that is made for it.
///
/// Formats are `strptime`'s, as a model has them; whoever reads and writes files says which letters there are.
struct DateRoom: Sendable, Hashable {
    /// The finest part that is written.
    let precision: FixtureGenerator.Precision
    /// Whether a fraction of a second is written.
    let hasFraction: Bool
    /// The years that are written.
    let years: ClosedRange<Int>

    static let allYears = 0...9999
    /// The years that two digits stand for.
    private static let shortYears = 1969...2068

    /// What a format leaves room for in an attribute of a type.
    ///
    /// - Returns: `nil` where values of the type are written as usual: all but dates, days and times, dates beside a format that has no day, and
    ///   times beside one that has.
    init?(_ format: String, of type: AttributeType) {
        var letters: Set<Unicode.Scalar> = []
        var isLetter = false
        for scalar in format.unicodeScalars {
            if isLetter { letters.formUnion(Self.parts(of: scalar)) }
            isLetter = !isLetter && scalar == "%"
        }
        let hasDay = letters.contains("Y") || letters.contains("y")
        switch type {
        case .date, .day: if !hasDay { return nil }
        case .timeOfDay: if hasDay { return nil }
        default: return nil
        }
        hasFraction = letters.contains("f")
        precision =
            letters.contains("S")
            ? .second : letters.contains("M") ? .minute : letters.contains("H") || letters.contains("I") ? .hour : .day
        years = letters.contains("y") ? Self.shortYears : Self.allYears
    }

    /// The letters that a letter stands for.
    private static func parts(of letter: Unicode.Scalar) -> [Unicode.Scalar] {
        switch letter {
        case "T": ["H", "M", "S"]
        case "R": ["H", "M"]
        case "F": ["Y"]
        case "D": ["y"]
        default: [letter]
        }
    }

    /// The first and the last second of the years; `nil` where these are all.
    var seconds: ClosedRange<Int64>? {
        guard years != Self.allYears else { return nil }
        return CivilDay.beginning(years.lowerBound).seconds...CivilDay.beginning(years.upperBound + 1).seconds - 1
    }

    /// Whether a value is written as it is.
    func holds(_ value: StoredValue) -> Bool {
        switch value {
        case .date(let date):
            let whole = date.timeIntervalSinceReferenceDate.rounded(.down)
            guard whole.magnitude < 1e15, let instant = FixtureInstant(seconds: Int64(whole)) else { return false }
            return holds(year: instant.day) && instant.seconds % precision.seconds == 0
                && (hasFraction || whole == date.timeIntervalSinceReferenceDate)
        case .day(let day): return holds(year: Int64(day.daysSinceReferenceDay))
        case .timeOfDay(let time):
            let (seconds, rest) = time.nanosecondsSinceMidnight.quotientAndRemainder(dividingBy: 1_000_000_000)
            return seconds % precision.seconds == 0 && (hasFraction || rest == 0)
        default: return true
        }
    }

    private func holds(year day: Int64) -> Bool { years.contains(CivilDay.date(day).year) }

    /// Whether everything that another format writes, and whole steps of this one behind it, is written by this one.
    func holdsAll(of other: DateRoom?) -> Bool {
        (other?.precision.seconds ?? 1) % precision.seconds == 0 && (years == Self.allYears || other?.years == years)
    }
}

extension FixtureGenerator.Precision {
    /// What two instants are apart, in seconds.
    var seconds: Int64 {
        switch self {
        case .day: CivilDay.secondsInDay
        case .hour: 3_600
        case .minute: 60
        case .second: 1
        }
    }
}
