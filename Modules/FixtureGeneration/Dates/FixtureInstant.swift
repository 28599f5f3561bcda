public import Foundation
import StrataCore

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
        // Of all the spellings that a date has, a description takes the one it is written in, and a day alone.
        guard text.utf8.count == 10 || text.utf8.count == 20 else { return nil }
        do throws(InvalidText) {
            guard let instant = Self(try DateText.parse(Array(text.utf8).span)),
                "\(instant)" == (text.utf8.count == 10 ? text + "T00:00:00Z" : text)
            else { return nil }
            self = instant
        } catch {
            return nil
        }
    }

    /// Orders instants by time.
    public static func < (left: Self, right: Self) -> Bool { left.seconds < right.seconds }

    /// The day, counted from 2001-01-01.
    var day: Int64 {
        Int64(Int(seconds).flooredQuotient(by: DateText.secondsInDay))
    }

    /// Whether it is the beginning of a day.
    var isMidnight: Bool { seconds % CivilDay.secondsInDay == 0 }

    /// The same as Foundation has it.
    public var date: Date { Date(timeIntervalSinceReferenceDate: Double(seconds)) }
}

extension FixtureInstant: CustomStringConvertible {
    /// The instant as `2025-01-01T00:00:00Z`.
    public var description: String {
        var bytes: [UInt8] = []
        do throws(InvalidText) {
            try DateText.append(date, to: &bytes)
        } catch {
            // The years 0000 to 9999 all have a text.
            assertionFailure("\(error)")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
