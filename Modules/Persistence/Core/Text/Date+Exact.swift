public import Foundation

extension Date {
    /// The count of nanoseconds in a second.
    private static let nanosecondsPerSecond: Int128 = 1_000_000_000

    /// The distance from the reference date, in seconds, above which a date is coarser than a nanosecond (97 days).
    private static let nanosecondBorder: Double = 8_388_608  // 2^23

    /// Creates the date that is nearest to an exact instant.
    ///
    /// A date is a `Double` of seconds, and most instants are between two such values. This initializer selects the
    /// nearer one, and of two equally near ones the even one, as if it calculated with unlimited precision. The
    /// expression `Double(seconds) + Double(nanoseconds) / 1e9` rounds twice and sometimes differs by one unit.
    ///
    /// - Parameters:
    ///   - seconds: Whole seconds since 2001-01-01 00:00:00 UTC; any value.
    ///   - nanoseconds: Nanoseconds to add; any value, also negative.
    public init(nearestToSecondsSinceReferenceDate seconds: Int64, nanoseconds: Int32) {
        if nanoseconds == 0 {
            self.init(timeIntervalSinceReferenceDate: Double(seconds))
            return
        }
        let total = Int128(seconds) * Self.nanosecondsPerSecond + Int128(nanoseconds)
        let interval = Self.nearestSeconds(toNanoseconds: total.magnitude)
        self.init(timeIntervalSinceReferenceDate: total < 0 ? -interval : interval)
    }

    /// Returns the date that is nearest to a whole number of nanoseconds.
    ///
    /// Texts contain at most nine digits of a second. Within 97 days of the reference date a `Date` has a finer
    /// resolution; the result is the nearest instant that a text can contain. All other dates, and dates that are not
    /// finite, are returned unchanged: parsing the nearest nanosecond returns the same date.
    public func roundedToNanosecond() -> Date {
        let interval = timeIntervalSinceReferenceDate
        guard interval.magnitude < Self.nanosecondBorder else { return self }
        let (seconds, nanoseconds) = wholeSecondsAndNanoseconds(of: interval)
        return Date(nearestToSecondsSinceReferenceDate: seconds, nanoseconds: nanoseconds)
    }

    /// Returns the seconds rounded toward zero, and the rest as nearest nanoseconds with the same sign.
    private func wholeSecondsAndNanoseconds(of interval: Double) -> (seconds: Int64, nanoseconds: Int32) {
        let seconds = interval.rounded(.towardZero)
        let fraction = interval - seconds  // exact: a part of the same bits
        var nanoseconds = (fraction * 1e9).rounded()
        // The product is rounded twice. This rest has only one rounding.
        let rest = (-nanoseconds).addingProduct(fraction, 1e9)
        if rest > 0.5 { nanoseconds += 1 }
        if rest < -0.5 { nanoseconds -= 1 }
        return (Int64(seconds), Int32(nanoseconds))
    }

    /// Returns the double that is nearest to `nanoseconds / 10^9`; ties round to even.
    private static func nearestSeconds(toNanoseconds nanoseconds: UInt128) -> Double {
        // The quotient needs 55 bits: 53 for the result, one for rounding, and one that indicates a nonzero remainder.
        let bits = UInt128.bitWidth - nanoseconds.leadingZeroBitCount
        let shift = max(0, 85 - bits)  // 10^9 has 30 bits, and 2^84 / 10^9 > 2^54
        let (quotient, remainder) = (nanoseconds << UInt128(shift)).quotientAndRemainder(
            dividingBy: nanosecondsPerSecond.magnitude
        )
        // At most 2^63 + 3, because there are at most 2^63 whole seconds.
        let significand = UInt64(truncatingIfNeeded: quotient) | (remainder == 0 ? 0 : 1)
        return Double(sign: .plus, exponent: -shift, significand: Double(significand))
    }
}
