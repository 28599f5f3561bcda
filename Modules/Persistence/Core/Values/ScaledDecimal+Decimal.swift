public import Foundation

extension ScaledDecimal {
    /// The same number, when it fits exactly: at most 18 fraction digits, and 64 bits without the point.
    ///
    /// Goes through the number's text, because a `Decimal`'s digits are not public on every platform: about a
    /// microsecond. Its scale is the fewest digits that hold the value.
    ///
    /// - Parameter decimal: Any decimal; `nan` gives nil.
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
