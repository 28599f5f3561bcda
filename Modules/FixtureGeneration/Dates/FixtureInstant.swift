public import Foundation
import StrataCore

/// A whole second in UTC, written as `2025-01-01T00:00:00Z` or, for midnight, `2025-01-01`.
///
/// Descriptions use this type instead of `Date`, because its text and its arithmetic do not depend on the platform's
/// calendars. Leap seconds do not exist.
///
/// ## Topics
///
/// ### Creating an instant
///
/// - ``init(seconds:)``
/// - ``init(_:)``
/// - ``range``
///
/// ### Converting an instant
///
/// - ``seconds``
/// - ``date``
/// - ``description``
public struct FixtureInstant: Sendable, Hashable, Comparable {
    /// The seconds since 2001-01-01T00:00:00Z.
    ///
    /// It is negative for earlier instants.
    public let seconds: Int64

    /// The range of valid instants: the years 0000 to 9999.
    public static let range = FixtureInstant(unchecked: -63_145_526_400)...FixtureInstant(unchecked: 252_423_993_599)

    /// Creates an instant from seconds, or returns `nil` if it is outside ``range``.
    ///
    /// - Parameter seconds: The whole seconds since 2001-01-01T00:00:00Z, in the years 0 to 9999.
    public init?(seconds: Int64) {
        guard Self.range.contains(Self(unchecked: seconds)) else { return nil }
        self.seconds = seconds
    }

    private init(unchecked seconds: Int64) { self.seconds = seconds }

    /// Creates the instant of a `Date`, or returns `nil` if the `Date` is not a whole second in ``range``.
    ///
    /// Fractions of a second are not rounded.
    init?(_ date: Date) {
        guard let seconds = Int64(exactly: date.timeIntervalSinceReferenceDate) else { return nil }
        self.init(seconds: seconds)
    }

    /// Creates an instant from one of its two text forms, or returns `nil` for every other text.
    ///
    /// A text without a time is midnight in UTC. Texts with a time zone other than `Z`, with fractions of a second, or
    /// of dates that do not exist are rejected.
    ///
    /// - Parameter text: A text such as `2025-01-01T00:00:00Z` or `2025-01-01`, with a year of four digits.
    public init?(_ text: String) {
        // Of the many spellings of a date, a description accepts only the one that it writes, and a day without a time.
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

    /// Returns a Boolean value that indicates whether an instant is before another instant.
    public static func < (left: Self, right: Self) -> Bool { left.seconds < right.seconds }

    /// The day of the instant in UTC, as the number of days since 2001-01-01.
    var day: Int64 {
        Int64(Int(seconds).flooredQuotient(by: DateText.secondsInDay))
    }

    /// A Boolean value that indicates whether the instant is midnight in UTC.
    var isMidnight: Bool { seconds % CivilDay.secondsInDay == 0 }

    /// The instant as a Foundation date.
    ///
    /// The conversion is exact, because every valid number of seconds is exact in a `Double`.
    public var date: Date { Date(timeIntervalSinceReferenceDate: Double(seconds)) }
}

extension FixtureInstant: CustomStringConvertible {
    /// The instant as `2025-01-01T00:00:00Z`.
    public var description: String {
        var bytes: [UInt8] = []
        do throws(InvalidText) {
            try DateText.append(date, to: &bytes)
        } catch {
            // All years from 0000 to 9999 have a text.
            assertionFailure("\(error)")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
