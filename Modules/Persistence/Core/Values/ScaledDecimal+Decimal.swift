public import Foundation

extension ScaledDecimal {
    /// Creates the same number, if it fits exactly: at most 18 fraction digits, and 64 bits without the point.
    ///
    /// The conversion uses the number's text, because a `Decimal`'s digits are not public on every platform. It takes
    /// about a microsecond. The scale is the smallest count of digits that represents the value.
    ///
    /// - Parameter decimal: Any decimal; the result is `nil` for `nan`.
    public init?(_ decimal: Decimal) {
        self.init(decimal.description)
    }

    /// The same number as a `Decimal`; always exact.
    public var decimal: Decimal {
        Decimal(
            sign: unscaled < 0 ? .minus : .plus,
            exponent: -Int(scale),
            significand: Decimal(unscaled.magnitude)
        )
    }
}
