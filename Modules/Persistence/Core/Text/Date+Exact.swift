public import Foundation

extension Date {
    /// The number of nanoseconds in a second.
    private static let nanosecondsPerSecond: Int128 = 1_000_000_000

    /// From this distance to the reference date on, in seconds (97 days), a date's steps are longer than a nanosecond.
    private static let nanosecondBorder: Double = 8_388_608  // 2^23

    /// The date nearest to an exact instant.
    ///
    /// A date is a `Double` of seconds, and most instants lie between two of them. This takes the nearer one, and of two
    /// equally near ones the even one, as if calculated without limit: `Double(seconds) + Double(nanoseconds) / 1e9`
    /// rounds twice and is sometimes one step off.
    ///
    /// - Parameters:
    ///   - seconds: Whole seconds since 2001-01-01 00:00:00 UTC; any value.
    ///   - nanoseconds: Nanoseconds to be added; any value, also negative.
    public init(nearestToSecondsSinceReferenceDate seconds: Int64, nanoseconds: Int32) {
        if nanoseconds == 0 {
            self.init(timeIntervalSinceReferenceDate: Double(seconds))
            return
        }
        let total = Int128(seconds) * Self.nanosecondsPerSecond + Int128(nanoseconds)
        let interval = Self.nearestSeconds(toNanoseconds: total.magnitude)
        self.init(timeIntervalSinceReferenceDate: total < 0 ? -interval : interval)
    }

    /// The date nearest to a whole number of nanoseconds.
    ///
    /// Texts hold at most nine digits of a second. Within 97 days of the reference date a `Date` is finer than that,
    /// and is brought to the nearest instant that a text can hold. All other dates, and those that are not finite, are
    /// returned as they are: the nanosecond nearest to them reads back as the same date.
    public func roundedToNanosecond() -> Date {
        let interval = timeIntervalSinceReferenceDate
        guard interval.magnitude < Self.nanosecondBorder else { return self }
        let (seconds, nanoseconds) = wholeSecondsAndNanoseconds(of: interval)
        return Date(nearestToSecondsSinceReferenceDate: seconds, nanoseconds: nanoseconds)
    }

    /// Seconds towards zero, and the rest rounded to the nearest nanosecond, with the same sign.
    private func wholeSecondsAndNanoseconds(of interval: Double) -> (seconds: Int64, nanoseconds: Int32) {
        let seconds = interval.rounded(.towardZero)
        let fraction = interval - seconds  // exact: a part of the same bits
        var nanoseconds = (fraction * 1e9).rounded()
        // The product was rounded before it was rounded to a whole number; this rest is exact to one rounding.
        let rest = (-nanoseconds).addingProduct(fraction, 1e9)
        if rest > 0.5 { nanoseconds += 1 }
        if rest < -0.5 { nanoseconds -= 1 }
        return (Int64(seconds), Int32(nanoseconds))
    }

    /// The double nearest to `nanoseconds / 10^9`, ties to even.
    private static func nearestSeconds(toNanoseconds nanoseconds: UInt128) -> Double {
        // The quotient needs 55 bits: 53 of the result, one to round by, and one that says whether anything is left.
        let bits = UInt128.bitWidth - nanoseconds.leadingZeroBitCount
        let shift = max(0, 85 - bits)  // 10^9 has 30 bits, and 2^84 / 10^9 > 2^54
        let (quotient, remainder) = (nanoseconds << UInt128(shift)).quotientAndRemainder(
            dividingBy: nanosecondsPerSecond.magnitude
        )
        // At most 2^63 + 3, as there are at most 2^63 whole seconds.
        let significand = UInt64(truncatingIfNeeded: quotient) | (remainder == 0 ? 0 : 1)
        return Double(sign: .plus, exponent: -shift, significand: Double(significand))
    }
}
