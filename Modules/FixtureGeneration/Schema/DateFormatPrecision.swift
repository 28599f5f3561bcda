import Foundation
import StrataCore

/// The dates and times that a date format can represent; parts that it omits are zero in generated values.
///
/// The formats are those of `strptime`, as in a model. The reader and the writer of files define the valid letters.
///
/// If the format of a file has no seconds, generated dates have none either, so that reading the file returns the same
/// dates. The same applies to years that two digits cannot express.
struct DateFormatPrecision: Sendable, Hashable {
    /// The finest part of a date or time that the format contains.
    let precision: FixtureGenerator.Precision
    /// A Boolean value that indicates whether the format contains fractions of a second.
    let hasFraction: Bool
    /// The years that the format can represent.
    let years: ClosedRange<Int>

    static let allYears = 0...9999
    /// The years that two digits represent.
    private static let shortYears = 1969...2068

    /// Creates the range of values that a date format can represent for an attribute of a type.
    ///
    /// - Returns: `nil` if values of the type are written in their default form. That is the case for types other than
    ///   dates and times, for dates and days if the format has no day, and for times of day if the format has a day.
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

    /// Returns the format letters that a composite letter such as `F` represents.
    private static func parts(of letter: Unicode.Scalar) -> [Unicode.Scalar] {
        switch letter {
        case "T": ["H", "M", "S"]
        case "R": ["H", "M"]
        case "F": ["Y"]
        case "D": ["y"]
        default: [letter]
        }
    }

    /// The first and the last second of the years that the format can represent, or `nil` for all years.
    var seconds: ClosedRange<Int64>? {
        guard years != Self.allYears else { return nil }
        return CivilDay.beginning(years.lowerBound).seconds...CivilDay.beginning(years.upperBound + 1).seconds - 1
    }

    /// Returns a Boolean value that indicates whether the format represents a value exactly.
    ///
    /// Values of other types are always represented.
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

    /// Returns a Boolean value that indicates whether the format represents every value of another format.
    ///
    /// Values that follow a value of the other format by whole steps of this format are included.
    func holdsAll(of other: DateFormatPrecision?) -> Bool {
        (other?.precision.seconds ?? 1) % precision.seconds == 0 && (years == Self.allYears || other?.years == years)
    }
}

extension FixtureGenerator.Precision {
    /// The distance between two instants in seconds.
    var seconds: Int64 {
        switch self {
        case .day: CivilDay.secondsInDay
        case .hour: 3_600
        case .minute: 60
        case .second: 1
        }
    }
}
