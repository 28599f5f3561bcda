public import Foundation

extension DateText {
    /// Parses an ISO 8601 date, or date and time; allocates nothing unless it fails.
    ///
    /// | part | accepted |
    /// |---|---|
    /// | day | `2003-06-17`, `20030617`, `+012345-01-02`, `-000001-12-31`; a day alone is its midnight |
    /// | between | `T`, `t` or one space |
    /// | time | `10:11`, `10:11:12`, `101112`, `10:11:12.5`, `10:11:12,123456789`, `24:00` for the end of the day |
    /// | zone | none (UTC), `Z`, `z`, `+02`, `+0200`, `-05:30`, also after one space |
    ///
    /// - Parameter bytes: The whole text; it must not have leading or trailing spaces.
    /// - Returns: The date that is nearest to the text's instant.
    /// - Throws: The first rule that is broken, such as `month 13 is not in 1...12`.
    public static func parse(_ bytes: Span<UInt8>) throws(InvalidText) -> Date { try instant(bytes).date }

    /// Parses a text like ``parse(_:)``, and returns the exact instant with all digits of the text.
    package static func instant(_ bytes: Span<UInt8>) throws(InvalidText) -> ExactInstant {
        var index = 0
        let day = try parseDay(bytes, &index)
        var seconds = day.daysSinceReferenceDay * secondsInDay
        var nanoseconds = 0
        if index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " "): index += 1
            default: throw notADate
            }
            let time = try parseTime(bytes, &index)
            seconds += time.seconds
            nanoseconds = time.nanoseconds
            seconds -= try parseOffset(bytes, &index)
            guard index == bytes.count else { throw notADate }
        }
        guard Self.seconds.contains(Int64(seconds)) else {
            throw InvalidText("in UTC the date is outside the years -999999 to 999999")
        }
        return ExactInstant(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds))
    }

    static var notADate: InvalidText {
        InvalidText("not an ISO 8601 date (2003-06-17, 2003-06-17T10:11:12Z)")
    }

    static var leapSecond: InvalidText { InvalidText("second 60 is a leap second, which a date cannot store") }

    static func parseDay(_ bytes: Span<UInt8>, _ index: inout Int) throws(InvalidText) -> CalendarDay {
        guard bytes.count > 0 else { throw notADate }
        var yearDigits = 4
        var isNegative = false
        if bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-") {
            isNegative = bytes[0] == UInt8(ascii: "-")
            yearDigits = 6
            index = 1
        }
        guard var year = number(bytes, &index, digits: yearDigits) else {
            guard yearDigits == 6 else { throw notADate }
            throw InvalidText("a year with a sign must have six digits")
        }
        if isNegative { year = -year }
        let hasHyphens = skip(UInt8(ascii: "-"), in: bytes, at: &index)
        guard let month = number(bytes, &index, digits: 2) else { throw notADate }
        if hasHyphens, !skip(UInt8(ascii: "-"), in: bytes, at: &index) { throw notADate }
        guard let day = number(bytes, &index, digits: 2) else { throw notADate }

        guard 1...12 ~= month else { throw InvalidText("month \(month) is not in 1...12") }
        let length = CalendarDay.length(ofMonth: month, year: year)
        guard 1...length ~= day else {
            throw InvalidText("day \(day) is not in 1...\(length), the days of month \(month) of \(year)")
        }
        return CalendarDay(year: year, month: month, day: day)
    }

    static func parseTime(
        _ bytes: Span<UInt8>, _ index: inout Int
    ) throws(InvalidText) -> (seconds: Int, nanoseconds: Int) {
        guard let hour = number(bytes, &index, digits: 2) else { throw notADate }
        let hasColons = skip(UInt8(ascii: ":"), in: bytes, at: &index)
        guard let minute = number(bytes, &index, digits: 2) else { throw notADate }
        var second = 0
        var nanoseconds = 0
        let isFollowed = hasColons ? skip(UInt8(ascii: ":"), in: bytes, at: &index) : isDigit(bytes, index)
        if isFollowed {
            guard let digits = number(bytes, &index, digits: 2) else { throw notADate }
            second = digits
            nanoseconds = try parseFraction(bytes, &index)
        }
        guard 0...24 ~= hour else { throw InvalidText("hour \(hour) is not in 0...24") }
        guard 0...59 ~= minute else { throw InvalidText("minute \(minute) is not in 0...59") }
        guard second != 60 else { throw leapSecond }
        guard 0...59 ~= second else { throw InvalidText("second \(second) is not in 0...59") }
        guard hour < 24 || (minute == 0 && second == 0 && nanoseconds == 0) else {
            throw InvalidText("hour 24 is allowed only in 24:00:00, the end of the day")
        }
        return (hour * 3600 + minute * 60 + second, nanoseconds)
    }

    private static func parseFraction(_ bytes: Span<UInt8>, _ index: inout Int) throws(InvalidText) -> Int {
        guard skip(UInt8(ascii: "."), in: bytes, at: &index) || skip(UInt8(ascii: ","), in: bytes, at: &index) else {
            return 0
        }
        var value = 0
        var unit = nanosecondsInSecond
        guard isDigit(bytes, index) else { throw notADate }
        while isDigit(bytes, index) {
            guard unit > 1 else { throw InvalidText("more than nine digits of a second") }
            unit /= 10
            value += Int(bytes[index] - UInt8(ascii: "0")) * unit
            index += 1
        }
        return value
    }

    /// Parses a zone, and returns its offset from UTC in seconds, positive to the east; 0 if there is no zone.
    private static func parseOffset(_ bytes: Span<UInt8>, _ index: inout Int) throws(InvalidText) -> Int {
        guard index < bytes.count else { return 0 }
        _ = skip(UInt8(ascii: " "), in: bytes, at: &index)
        if skip(UInt8(ascii: "Z"), in: bytes, at: &index) || skip(UInt8(ascii: "z"), in: bytes, at: &index) { return 0 }
        let isWest = skip(UInt8(ascii: "-"), in: bytes, at: &index)
        guard isWest || skip(UInt8(ascii: "+"), in: bytes, at: &index) else { throw notADate }
        guard let hours = number(bytes, &index, digits: 2) else { throw notADate }
        var minutes = 0
        if index < bytes.count {
            _ = skip(UInt8(ascii: ":"), in: bytes, at: &index)
            guard let digits = number(bytes, &index, digits: 2) else { throw notADate }
            minutes = digits
        }
        guard 0...23 ~= hours else { throw InvalidText("offset hour \(hours) is not in 0...23") }
        guard 0...59 ~= minutes else { throw InvalidText("offset minute \(minutes) is not in 0...59") }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }

    /// Parses a number with an exact count of digits; if it fails, it returns `nil` and leaves the index unchanged.
    private static func number(_ bytes: Span<UInt8>, _ index: inout Int, digits: Int) -> Int? {
        guard bytes.count - index >= digits else { return nil }
        var value = 0
        for position in index..<index + digits {
            let digit = bytes[position] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value * 10 + Int(digit)
        }
        index += digits
        return value
    }

    private static func skip(_ byte: UInt8, in bytes: Span<UInt8>, at index: inout Int) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private static func isDigit(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
        index < bytes.count && bytes[index] &- UInt8(ascii: "0") <= 9
    }
}
