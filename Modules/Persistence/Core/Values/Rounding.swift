/// Rounding to a number of digits after the point, a half away from zero: as amounts are rounded by hand.
extension ScaledDecimal {
    /// The nearest number with at most so many digits after the point; of two as near the one farther from zero.
    ///
    /// `2.345` with 2 digits is `2.35`, `-2.5` with none `-3`, and `1250` with -2 is `1300`.
    ///
    /// - Parameter digits: The digits after the point; a negative number rounds to tens, hundreds and so on.
    /// - Returns: The number, with a scale of `digits` where this one's is greater, and of 0 where `digits` is negative; `nil` where it does not fit 64
    ///   bits, as may be with negative digits only.
    public func rounded(toDigits digits: Int) -> ScaledDecimal? {
        guard digits < Int(scale) else { return self }
        let kept = UInt8(max(0, digits))
        // Not so far down that every number is nothing for sure.
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
    /// The double that is nearest to this one's exact value rounded to so many digits after the point, a half away from zero.
    ///
    /// The value that is rounded is the one that the double has and not the one it was written as: `2.675` lies below its half and becomes `2.67`, `0.125`
    /// lies on it and becomes `0.13`.
    ///
    /// - Parameter digits: The digits after the point, -18 to 18; a negative number rounds to tens, hundreds and so on.
    /// - Returns: The double; never a negative zero.
    func rounded(toDigits digits: Int) -> Double {
        let size = digits < 0 ? magnitude.rounded(toUnit: Self.power(-digits)) : magnitude.rounded(toPlaces: digits)
        return self < 0 ? 0 - size : size
    }

    /// Powers of ten up to 10^18 are doubles exactly.
    private static func power(_ exponent: Int) -> Double { Double(PowersOfTen.power(exponent) ?? 0) }

    private func rounded(toPlaces places: Int) -> Double {
        let unit = Self.power(places)
        let whole = rounded(.down)
        // From here on the double has no digits so far behind its point that rounding would change it.
        guard whole * unit < 0x1p53 else { return self }
        let fraction = self - whole
        let product = fraction * unit
        // What the product lost, exactly.
        let rest = (-product).addingProduct(fraction, unit)
        let below = product.rounded(.down)
        let isUp = product - below - 0.5 >= -rest
        return (whole * unit + below + (isUp ? 1 : 0)) / unit
    }

    private func rounded(toUnit unit: Double) -> Double {
        let rest = truncatingRemainder(dividingBy: unit)
        return self - rest + (rest >= unit / 2 ? unit : 0)
    }
}
