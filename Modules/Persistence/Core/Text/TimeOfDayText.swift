/// Times of day as text: `hh:mm:ss`, followed by a point and up to nine digits if there is a fraction.
///
/// The fraction has no trailing zeros.
enum TimeOfDayText {
    static let nanosecondsInDay = Int64(DateText.secondsInDay) * Int64(DateText.nanosecondsInSecond)
    /// The count of characters of a time without a fraction.
    private static let shortest = 8
    /// The count of characters of a time with a point and nine digits.
    private static let longest = 18

    /// Parses `08:30`, `08:30:00` or `083000`, with an optional fraction of at most nine digits after a point or a
    /// comma.
    ///
    /// - Returns: The count of nanoseconds from midnight to the time of day.
    /// - Throws: ``InvalidText`` with the first broken rule.
    static func parse(_ bytes: Span<UInt8>) throws(InvalidText) -> Int64 {
        var index = 0
        do throws(InvalidText) {
            let time = try DateText.parseTime(bytes, &index)
            guard index == bytes.count else { throw notATime }
            guard time.seconds < DateText.secondsInDay else { throw InvalidText("hour 24 is not in 0...23") }
            return Int64(time.seconds) * Int64(DateText.nanosecondsInSecond) + Int64(time.nanoseconds)
        } catch {
            switch error {
            case DateText.notADate: throw notATime
            case DateText.leapSecond: throw InvalidText("second 60 is a leap second, which a time of day cannot store")
            default: throw error
            }
        }
    }

    static var notATime: InvalidText { InvalidText("not a time of day (08:30:00)") }

    /// Parses a time of day in its stored form; returns `nil` for any other text.
    static func canonical(_ bytes: Span<UInt8>) -> Int64? {
        guard bytes.count >= shortest, bytes[2] == UInt8(ascii: ":"), bytes[5] == UInt8(ascii: ":") else { return nil }
        if bytes.count > shortest {
            guard bytes[shortest] == UInt8(ascii: "."), bytes[bytes.count - 1] != UInt8(ascii: "0") else { return nil }
        }
        do throws(InvalidText) { return try parse(bytes) } catch { return nil }
    }

    static func write(_ nanoseconds: Int64, to buffer: inout ByteBuffer) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: Int64(DateText.nanosecondsInSecond))
        buffer.write(atMost: longest) { start in
            IntegerText.put(UInt64(seconds / 3600), digits: 2, at: start)
            start[2] = UInt8(ascii: ":")
            IntegerText.put(UInt64(seconds / 60 % 60), digits: 2, at: start + 3)
            start[5] = UInt8(ascii: ":")
            IntegerText.put(UInt64(seconds % 60), digits: 2, at: start + 6)
            guard rest > 0 else { return shortest }
            start[shortest] = UInt8(ascii: ".")
            var (fraction, digits) = (rest, DateText.maximumFractionDigits)
            while fraction % 10 == 0 {
                fraction /= 10
                digits -= 1
            }
            IntegerText.put(UInt64(fraction), digits: digits, at: start + shortest + 1)
            return shortest + 1 + digits
        }
    }
}
