/// Rounding to a count of digits after the point, with halves away from zero, as amounts are rounded by hand.
extension ScaledDecimal {
    /// Returns the nearest number with at most a count of digits after the point; halves are rounded away from zero.
    ///
    /// `2.345` with 2 digits is `2.35`, `-2.5` with 0 digits is `-3`, and `1250` with -2 digits is `1300`.
    ///
    /// - Parameter digits: The digits after the point; a negative number rounds to tens, hundreds and so on.
    /// - Returns: The number. Its scale is `digits` if this number's scale is greater, and 0 if `digits` is negative.
    ///     The result is `nil` if it does not fit in 64 bits, which is possible only with negative digits.
    public func rounded(toDigits digits: Int) -> ScaledDecimal? {
        guard digits < Int(scale) else { return self }
        let kept = UInt8(max(0, digits))
        // Beyond the powers of 64 bits, every number rounds to zero.
        guard let power = PowersOfTen.power(Int(scale) - digits) else { return ScaledDecimal(unscaled: 0, scale: kept) }
        let unit = Int128(power)
        let (quotient, remainder) = Int128(unscaled).quotientAndRemainder(dividingBy: unit)
        let away: Int128 = 2 * remainder.magnitude >= unit.magnitude ? (unscaled < 0 ? -1 : 1) : 0
        let back = digits < 0 ? Int128(PowersOfTen.power(-digits) ?? 0) : 1
        let (result, overflow) = (quotient + away).multipliedReportingOverflow(by: back)
        guard !overflow, let unscaled = Int64(exactly: result) else { return nil }
        return ScaledDecimal(unscaled: unscaled, scale: kept)
    }
}

extension Double {
    /// Returns the double nearest to this one's exact value rounded to a count of digits; halves are away from zero.
    ///
    /// The exact value of the double is rounded, and not the text from which it was read: `2.675` is below its half and
    /// becomes `2.67`; `0.125` is exactly at its half and becomes `0.13`.
    ///
    /// - Parameter digits: The digits after the point, -18 to 18; a negative number rounds to tens, hundreds and so on.
    /// - Returns: The double; never a negative zero.
    func rounded(toDigits digits: Int) -> Double {
        guard isFinite else { return self }
        let size = digits < 0 ? magnitude.rounded(toUnit: -digits) : magnitude.rounded(toPlaces: digits)
        return self < 0 ? 0 - size : size
    }

    private func rounded(toPlaces places: Int) -> Double {
        // Powers of ten up to 10^18 are exact doubles.
        let unit = Double(PowersOfTen.power(places) ?? 1)
        // If the distance between doubles is greater than that between numbers with this count of digits, this number
        // is already the double nearest to the rounded one. Otherwise it has fewer than 2^53 units. All operations
        // below are then exact except the last division, which is correctly rounded.
        guard ulp * unit < 1 else { return self }
        let whole = rounded(.down)
        let fraction = self - whole
        let product = fraction * unit
        // The exact error of the product.
        let rest = (-product).addingProduct(fraction, unit)
        let below = product.rounded(.down)
        let isUp = product - below - 0.5 >= -rest
        return (whole * unit + below + (isUp ? 1 : 0)) / unit
    }

    private func rounded(toUnit exponent: Int) -> Double {
        let unit = Int128(PowersOfTen.power(exponent) ?? 1)
        guard ulp < Double(unit), let whole = Int128(exactly: rounded(.down)) else { return self }
        // A fraction makes no difference, because half of the unit is an integer.
        let rest = whole % unit
        return Double(whole - rest + (2 * rest >= unit ? unit : 0))
    }
}
