public import Foundation

extension DateText {
    /// Appends a date in UTC, such as `2003-06-17T00:00:00Z`, without creating a string.
    ///
    /// The fraction has the minimum count of digits, from 0 to 9, that parses to the same date. Within 97 days of
    /// 2001-01-01 a `Date` can be finer than a nanosecond; `roundedToNanosecond()` is written then. Years outside 0000
    /// to 9999 have a sign and six digits.
    ///
    /// - Parameters:
    ///   - date: A date in the years -999999 to 999999.
    ///   - bytes: The array to which the ASCII text is appended; unchanged if the function throws.
    /// - Throws: ``InvalidText`` if the date is not finite or is outside those years.
    public static func append(_ date: Date, to bytes: inout [UInt8]) throws(InvalidText) {
        try ByteBuffer.append(to: &bytes) { (buffer: inout ByteBuffer) throws(InvalidText) in
            try write(date, to: &buffer)
        }
    }

    /// The length of the longest text: `+999999-12-31T23:59:59.123456789Z`.
    private static let maximumLength = 33

    package static func write(_ date: Date, to buffer: inout ByteBuffer) throws(InvalidText) {
        let interval = date.timeIntervalSinceReferenceDate
        guard interval.isFinite else { throw InvalidText("a date that is not finite has no text") }
        guard Double(seconds.lowerBound) <= interval, interval < Double(seconds.upperBound) + 1 else {
            throw InvalidText("the date is outside the years -999999 to 999999, which a text can represent")
        }
        // Most dates have whole seconds, which need no search for the shortest fraction.
        let whole = Int64(interval)
        let instant =
            Double(whole) == interval
            ? ShortestInstant(seconds: whole) : ShortestInstant(of: date.roundedToNanosecond())
        let days = Int(instant.seconds).flooredQuotient(by: secondsInDay)
        let time = Int(instant.seconds) - days * secondsInDay
        let day = CalendarDay(daysSinceReferenceDay: days)
        buffer.write(atMost: maximumLength) { start in
            var place = 0
            func put(_ number: Int, _ digits: Int, before separator: UInt8) {
                IntegerText.put(UInt64(number.magnitude), digits: digits, at: start + place)
                start[place + digits] = separator
                place += digits + 1
            }
            let hasLongYear = !(0...9999 ~= day.year)
            if hasLongYear {
                start[0] = UInt8(ascii: day.year < 0 ? "-" : "+")
                place = 1
            }
            put(day.year, hasLongYear ? 6 : 4, before: UInt8(ascii: "-"))
            put(day.month, 2, before: UInt8(ascii: "-"))
            put(day.day, 2, before: UInt8(ascii: "T"))
            put(time / 3600, 2, before: UInt8(ascii: ":"))
            put(time / 60 % 60, 2, before: UInt8(ascii: ":"))
            put(time % 60, 2, before: UInt8(ascii: instant.digits > 0 ? "." : "Z"))
            if instant.digits > 0 { put(instant.fraction, instant.digits, before: UInt8(ascii: "Z")) }
            return place
        }
    }
}

/// Whole seconds since the reference date and a fraction with the minimum count of digits.
struct ShortestInstant {
    var seconds: Int64
    var fraction: Int
    var digits: Int

    /// Creates an instant at a whole second.
    init(seconds: Int64) {
        self.seconds = seconds
        fraction = 0
        digits = 0
    }

    /// Creates the instant with the fewest fraction digits among those whose nearest `Date` is a given date.
    ///
    /// The date must be the `Date` that is nearest to some whole number of nanoseconds.
    init(of date: Date) {
        let interval = date.timeIntervalSinceReferenceDate
        let below = interval.rounded(.down)
        seconds = Int64(below)
        fraction = 0
        digits = 0
        guard interval != below else { return }

        let nanoseconds = Self.nanoseconds(of: interval, from: below)
        var unit = DateText.nanosecondsInSecond
        while unit > 1 {
            unit /= 10
            digits += 1
            let lower = nanoseconds / unit
            let isUpperNearer = (nanoseconds - lower * unit) * 2 > unit
            fraction = isUpperNearer ? lower + 1 : lower
            if isNearest(to: date, unit: unit) { return }
            fraction = isUpperNearer ? lower : lower + 1
            if isNearest(to: date, unit: unit) { return }
        }
        fraction = nanoseconds
    }

    /// The instant as seconds and nanoseconds.
    var exact: ExactInstant {
        let unit = (0..<DateText.maximumFractionDigits - digits).reduce(1) { unit, _ in unit * 10 }
        return ExactInstant(seconds: seconds, nanoseconds: Int32(fraction * unit))
    }

    private func isNearest(to date: Date, unit: Int) -> Bool {
        Date(nearestToSecondsSinceReferenceDate: seconds, nanoseconds: Int32(fraction * unit)) == date
    }

    /// Returns the nanoseconds from the whole second before an instant to the instant, rounded, from 0 to 999,999,999.
    private static func nanoseconds(of interval: Double, from below: Double) -> Int {
        // The difference from the whole second toward zero is exact.
        let towardsZero = interval.rounded(.towardZero)
        let fraction = ((interval - towardsZero) * 1e9).rounded()
        let nanoseconds = Int(fraction) + (towardsZero == below ? 0 : DateText.nanosecondsInSecond)
        return min(max(nanoseconds, 0), DateText.nanosecondsInSecond - 1)
    }
}
