extension ScaledDecimal {
    /// Returns the exact sum, at the larger of the two scales, or `nil` if it does not fit in 64 bits.
    ///
    /// Zeros at the end of the fraction are removed if the sum fits only without them.
    ///
    /// `0.1` plus `0.20` is `0.30`.
    ///
    /// - Parameter other: The number to add, of any scale.
    /// - Returns: The sum; `nil` if it does not fit.
    public func adding(_ other: ScaledDecimal) -> ScaledDecimal? {
        let scale = max(self.scale, other.scale)
        return ScaledDecimal(exactly: aligned(to: scale) + other.aligned(to: scale), scale: Int(scale))
    }

    /// Returns the exact difference, at the larger of the two scales, or `nil` if it does not fit in 64 bits.
    ///
    /// Zeros at the end of the fraction are removed if the difference fits only without them.
    ///
    /// `0.1` minus `0.20` is `-0.10`.
    ///
    /// - Parameter other: The number to subtract, of any scale.
    /// - Returns: The difference; `nil` if it does not fit.
    public func subtracting(_ other: ScaledDecimal) -> ScaledDecimal? {
        let scale = max(self.scale, other.scale)
        return ScaledDecimal(exactly: aligned(to: scale) - other.aligned(to: scale), scale: Int(scale))
    }

    /// Returns the exact product, at the sum of the two scales.
    ///
    /// The result is `nil` if the product does not fit in 64 bits or 18 fraction digits. Zeros at the end of the
    /// fraction are removed if the product fits only without them.
    ///
    /// `0.1` times `0.20` is `0.020`.
    ///
    /// - Parameter other: The other factor, of any scale.
    /// - Returns: The product; `nil` if it does not fit. It may have more digits than an attribute's scale: round it
    ///   with ``rounded(toDigits:)`` before it is stored.
    public func multiplied(by other: ScaledDecimal) -> ScaledDecimal? {
        ScaledDecimal(exactly: Int128(unscaled) * Int128(other.unscaled), scale: Int(scale) + Int(other.scale))
    }

    /// Returns the largest number with a count of fraction digits that is not larger than this one.
    ///
    /// `-0.125` at scale 2 is `-0.13`. A scale that loses no digit returns the number unchanged.
    ///
    /// - Parameter scale: The maximum count of fraction digits.
    /// - Returns: The number; its scale is `scale` if digits were removed.
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
