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
        guard isFinite else { return self }
        let size = digits < 0 ? magnitude.rounded(toUnit: -digits) : magnitude.rounded(toPlaces: digits)
        return self < 0 ? 0 - size : size
    }

    private func rounded(toPlaces places: Int) -> Double {
        // Powers of ten up to 10^18 are doubles exactly.
        let unit = Double(PowersOfTen.power(places) ?? 1)
        // Where doubles lie farther from each other than numbers of so many digits, the nearest one to the rounded number is this. Elsewhere
        // it has less than 2^53 of the units, so that all of what follows is exact but for the last division, which is as good as it can be.
        guard ulp * unit < 1 else { return self }
        let whole = rounded(.down)
        let fraction = self - whole
        let product = fraction * unit
        // What the product lost, exactly.
        let rest = (-product).addingProduct(fraction, unit)
        let below = product.rounded(.down)
        let isUp = product - below - 0.5 >= -rest
        return (whole * unit + below + (isUp ? 1 : 0)) / unit
    }

    private func rounded(toUnit exponent: Int) -> Double {
        let unit = Int128(PowersOfTen.power(exponent) ?? 1)
        guard ulp < Double(unit), let whole = Int128(exactly: rounded(.down)) else { return self }
        // A fraction makes no difference: half of the unit is a whole number.
        let rest = whole % unit
        return Double(whole - rest + (2 * rest >= unit ? unit : 0))
    }
}
