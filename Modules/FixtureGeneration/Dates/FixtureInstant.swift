public import Foundation

/// A whole second of UTC, as a description writes it: `2025-01-01T00:00:00Z`, or `2025-01-01` for its beginning.
public struct FixtureInstant: Sendable, Hashable, Comparable {
    /// Seconds since 2001-01-01T00:00:00Z.
    public let seconds: Int64

    /// The least and the greatest: the years 0000 to 9999.
    public static let range = FixtureInstant(unchecked: -63_145_526_400)...FixtureInstant(unchecked: 252_423_993_599)

    /// An instant.
    ///
    /// - Parameter seconds: Whole seconds since 2001-01-01T00:00:00Z, in the years 0000 to 9999.
    public init?(seconds: Int64) {
        guard Self.range.contains(Self(unchecked: seconds)) else { return nil }
        self.seconds = seconds
    }

    private init(unchecked seconds: Int64) { self.seconds = seconds }

    /// The instant of a date that is a whole second in ``range``; `nil` for others.
    init?(_ date: Date) {
        guard let seconds = Int64(exactly: date.timeIntervalSinceReferenceDate) else { return nil }
        self.init(seconds: seconds)
    }

    /// Reads an instant in one of its two forms; `nil` for every other text.
    ///
    /// - Parameter text: As `2025-01-01T00:00:00Z` or `2025-01-01`, with a year of four digits.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            var number = 0
            for byte in bytes[range] {
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return number
        }
        func stands(_ character: Unicode.Scalar, at place: Int) -> Bool { bytes[place] == UInt8(ascii: character) }
        guard bytes.count == 10 || bytes.count == 20, stands("-", at: 4), stands("-", at: 7),
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let days = CivilDay.day(year: year, month: month, day: day)
        else { return nil }
        var seconds = days * CivilDay.secondsInDay
        if bytes.count == 20 {
            guard stands("T", at: 10), stands(":", at: 13), stands(":", at: 16), stands("Z", at: 19),
                let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
                hour < 24, minute < 60, second < 60
            else { return nil }
            seconds += Int64(hour * 3600 + minute * 60 + second)
        }
        self.seconds = seconds
    }

    /// Orders instants by time.
    public static func < (left: Self, right: Self) -> Bool { left.seconds < right.seconds }

    /// The day, counted from 2001-01-01.
    var day: Int64 {
        let (day, rest) = seconds.quotientAndRemainder(dividingBy: CivilDay.secondsInDay)
        return rest < 0 ? day - 1 : day
    }

    /// Whether it is the beginning of a day.
    var isMidnight: Bool { seconds % CivilDay.secondsInDay == 0 }

    /// The same as Foundation has it.
    public var date: Date { Date(timeIntervalSinceReferenceDate: Double(seconds)) }
}

extension FixtureInstant: CustomStringConvertible {
    /// The instant as `2025-01-01T00:00:00Z`.
    public var description: String {
        let (year, month, day) = CivilDay.date(day)
        let second = Int(seconds - self.day * CivilDay.secondsInDay)
        func padded(_ number: Int, _ digits: Int = 2) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
        }
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))T"
            + "\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))Z"
    }
}
