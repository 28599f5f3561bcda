extension ScaledDecimal {
    /// Returns the exact sum, at the larger of the two scales, or `nil` if it does not fit in 64 bits.
    ///
    /// Zeros at the end of the fraction are removed if the sum fits only without them.
    public func adding(_ other: ScaledDecimal) -> ScaledDecimal? {
        let scale = max(self.scale, other.scale)
        return ScaledDecimal(exactly: aligned(to: scale) + other.aligned(to: scale), scale: Int(scale))
    }

    /// Returns the exact difference, at the larger of the two scales, or `nil` if it does not fit in 64 bits.
    ///
    /// Zeros at the end of the fraction are removed if the difference fits only without them.
    public func subtracting(_ other: ScaledDecimal) -> ScaledDecimal? {
        let scale = max(self.scale, other.scale)
        return ScaledDecimal(exactly: aligned(to: scale) - other.aligned(to: scale), scale: Int(scale))
    }

    /// Returns the exact product, at the sum of the two scales.
    ///
    /// The result is `nil` if the product does not fit in 64 bits or 18 fraction digits. Zeros at the end of the
    /// fraction are removed if the product fits only without them.
    public func multiplied(by other: ScaledDecimal) -> ScaledDecimal? {
        ScaledDecimal(exactly: Int128(unscaled) * Int128(other.unscaled), scale: Int(scale) + Int(other.scale))
    }

    /// Returns the largest number with a count of fraction digits that is not larger than this one.
    ///
    /// `-0.125` at scale 2 is `-0.13`. A scale that loses no digit returns the number unchanged.
    public func floored(to scale: UInt8) -> ScaledDecimal {
        guard scale < self.scale else { return self }
        let (quotient, remainder) = unscaled.quotientAndRemainder(
            dividingBy: PowersOfTen.power(ofScale: self.scale - scale)
        )
        return ScaledDecimal(unscaled: remainder < 0 ? quotient - 1 : quotient, scale: scale)
    }

    /// Returns the unscaled number at a scale that is not smaller; at most 2^63 times 10^18.
    private func aligned(to scale: UInt8) -> Int128 {
        Int128(unscaled) * Int128(PowersOfTen.power(ofScale: scale - self.scale))
    }

    /// Creates a number without as many zeros at the end of the fraction as necessary; `nil` if it never fits.
    private init?(exactly unscaled: Int128, scale: Int) {
        var unscaled = unscaled
        var scale = scale
        while true {
            if scale <= Int(Self.maximumScale), let result = Int64(exactly: unscaled) {
                self.init(unscaled: result, scale: UInt8(scale))
                return
            }
            guard scale > 0, unscaled % 10 == 0 else { return nil }
            unscaled /= 10
            scale -= 1
        }
    }
}
