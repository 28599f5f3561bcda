/// A time of day to the nanosecond, without a day and without a zone: the time when a shop opens or an alarm rings.
///
/// The range is 00:00:00 to 23:59:59.999999999. 24:00 is midnight of the next day and not a time of its own. There are
/// no leap seconds.
///
/// ```swift
/// let opens = try TimeOfDay(hour: 8, minute: 30)
/// let closes = try TimeOfDay(hour: 18, minute: 0)  // closes > opens
/// ```
///
/// Stores keep a time as its text, whose byte order is the order of times.
///
/// ## Topics
///
/// ### Creating a time
///
/// - ``init(hour:minute:second:nanosecond:)``
/// - ``init(nanosecondsSinceMidnight:)``
/// - ``init(clampingNanosecondsSinceMidnight:)``
/// - ``init(_:)``
///
/// ### Parts
///
/// - ``hour``
/// - ``minute``
/// - ``second``
/// - ``nanosecond``
///
/// ### Converting
///
/// - ``nanosecondsSinceMidnight``
/// - ``description``
public struct TimeOfDay: Sendable, Hashable {
    /// The nanoseconds since midnight, 0 to 86,399,999,999,999.
    public let nanosecondsSinceMidnight: Int64

    /// The hour, 0 to 23.
    public var hour: Int { Int(nanosecondsSinceMidnight / 3_600_000_000_000) }
    /// The minute, 0 to 59.
    public var minute: Int { Int(nanosecondsSinceMidnight / 60_000_000_000 % 60) }
    /// The second, 0 to 59.
    public var second: Int { Int(nanosecondsSinceMidnight / 1_000_000_000 % 60) }
    /// The nanosecond, 0 to 999,999,999.
    public var nanosecond: Int { Int(nanosecondsSinceMidnight % 1_000_000_000) }

    /// Creates a time from its parts.
    ///
    /// - Parameters:
    ///   - hour: 0 to 23.
    ///   - minute: 0 to 59.
    ///   - second: 0 to 59.
    ///   - nanosecond: 0 to 999,999,999.
    /// - Throws: ``ValueError`` that names the part that is out of its range.
    public init(hour: Int, minute: Int, second: Int = 0, nanosecond: Int = 0) throws(ValueError) {
        guard 0...23 ~= hour else { throw ValueError("hour \(hour) is not in 0...23") }
        guard 0...59 ~= minute else { throw ValueError("minute \(minute) is not in 0...59") }
        guard 0...59 ~= second else { throw ValueError("second \(second) is not in 0...59") }
        guard 0...999_999_999 ~= nanosecond else {
            throw ValueError("nanosecond \(nanosecond) is not in 0...999999999")
        }
        nanosecondsSinceMidnight = Int64(hour * 3600 + minute * 60 + second) * 1_000_000_000 + Int64(nanosecond)
    }

    /// Creates the time that is a count of nanoseconds after midnight; `nil` if it is not on the same day.
    ///
    /// - Parameter nanoseconds: The count, 0 to 86,399,999,999,999.
    public init?(nanosecondsSinceMidnight nanoseconds: Int64) {
        guard 0..<TimeOfDayText.nanosecondsInDay ~= nanoseconds else { return nil }
        nanosecondsSinceMidnight = nanoseconds
    }

    /// Creates a time from the nanoseconds since midnight; a number outside of the day is replaced by the nearest one.
    ///
    /// Use this initializer for times that are literals in code.
    public init(clampingNanosecondsSinceMidnight nanoseconds: Int64) {
        nanosecondsSinceMidnight = min(max(nanoseconds, 0), TimeOfDayText.nanosecondsInDay - 1)
    }

    /// Creates a time from a count that is known to be valid.
    init(unchecked nanoseconds: Int64) { nanosecondsSinceMidnight = nanoseconds }
}

extension TimeOfDay: Comparable {
    /// Returns a Boolean value that indicates whether the left time is earlier on the same day.
    public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
        left.nanosecondsSinceMidnight < right.nanosecondsSinceMidnight
    }
}

extension TimeOfDay: LosslessStringConvertible {
    /// Creates a time from `08:30`, `08:30:00` or `083000`, with an optional fraction; `nil` for every other text.
    ///
    /// The fraction has at most nine digits and follows the seconds.
    public init?(_ description: String) {
        do throws(InvalidText) {
            self.init(unchecked: try TimeOfDayText.parse(Array(description.utf8).span))
        } catch {
            return nil
        }
    }

    /// The time as `08:30:00`, or with as few fraction digits as the value needs: `08:30:00.25`.
    public var description: String {
        var buffer = ByteBuffer(capacity: 32)
        TimeOfDayText.write(nanosecondsSinceMidnight, to: &buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}

extension TimeOfDay: Codable {
    /// Creates a time of day from its decoded text.
    ///
    /// - Throws: `DecodingError` if the text is not a time of day.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value(TimeOfDay.self, refusal: TimeOfDayText.notATime.reason)
    }

    /// Encodes the text of the time of day.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
