/// An exact decimal number: an integer and the count of its last digits that form the fraction.
///
/// ```swift
/// let short = ScaledDecimal(unscaled: 57, scale: 1)
/// let long = ScaledDecimal(unscaled: 570, scale: 2)
/// #expect(short == long)
/// ```
///
/// `12.50` is `ScaledDecimal(unscaled: 1250, scale: 2)`. A decimal attribute is stored and compared in this form,
/// because 64-bit integers compare and add exactly and fast, which `Foundation.Decimal` does not.
///
/// Equality, order and hashing are by value: `5.7` equals `5.70`. The scale is stored because it decides how the number
/// is written.
///
/// No operation rounds unless its name says so. A result that does not fit in 64 bits and 18 fraction digits is `nil`,
/// and never wrong: check it as you would check an overflow. Numbers of at most 18 digits fit in any case. The type has
/// no arithmetic operators, because an operator could only trap or lose digits.
///
/// ## Topics
///
/// ### Creating a number
///
/// - ``init(unscaled:scale:)``
/// - ``maximumScale``
///
/// ### Parts
///
/// - ``unscaled``
/// - ``scale``
///
/// ### Calculating
///
/// - ``adding(_:)``
/// - ``subtracting(_:)``
/// - ``multiplied(by:)``
///
/// ### Rounding and changing the scale
///
/// - ``rescaled(to:)``
/// - ``rounded(toDigits:)``
/// - ``floored(to:)``
///
/// ### Converting
///
/// - ``description``
/// - ``decimal``
/// - ``append(to:)``
public struct ScaledDecimal: Sendable {
    /// The largest scale: 10^18 is the largest power of ten in a signed 64-bit number.
    public static let maximumScale: UInt8 = 18

    /// The number without its decimal point.
    public let unscaled: Int64

    /// The number of fraction digits, 0 to ``maximumScale``.
    public let scale: UInt8

    /// Creates the number `unscaled / 10^scale`.
    ///
    /// - Parameters:
    ///   - unscaled: The number without its decimal point; any value.
    ///   - scale: The number of fraction digits. More than ``maximumScale`` is a programming error and traps.
    public init(unscaled: Int64, scale: UInt8) {
        precondition(scale <= Self.maximumScale, "A ScaledDecimal has a scale of 0 to 18, not \(scale).")
        self.unscaled = unscaled
        self.scale = scale
    }

    /// Returns the same value with another number of fraction digits, or `nil`.
    ///
    /// `5.7000` becomes `5.70` at scale 2; `0.125` at scale 2 is `nil`, because digits would be lost.
    ///
    /// - Parameter scale: The new number of fraction digits.
    /// - Returns: The number; `nil` if digits other than zero would be lost, if the result does not fit in 64 bits, or
    ///     if the scale is more than ``maximumScale``.
    public func rescaled(to scale: UInt8) -> ScaledDecimal? {
        guard scale != self.scale else { return self }
        guard scale <= Self.maximumScale else { return nil }
        if scale > self.scale {
            let factor = PowersOfTen.power(ofScale: scale - self.scale)
            let (result, overflow) = unscaled.multipliedReportingOverflow(by: factor)
            return overflow ? nil : ScaledDecimal(unscaled: result, scale: scale)
        }
        let (quotient, remainder) = unscaled.quotientAndRemainder(
            dividingBy: PowersOfTen.power(ofScale: self.scale - scale)
        )
        return remainder == 0 ? ScaledDecimal(unscaled: quotient, scale: scale) : nil
    }

    /// The value at the largest scale; it always fits, because 2^63 times 10^18 is less than 2^127.
    var atMaximumScale: Int128 {
        Int128(unscaled) * Int128(PowersOfTen.power(ofScale: Self.maximumScale - scale))
    }
}

extension ScaledDecimal: Hashable {
    /// Returns a Boolean value that indicates whether two numbers have the same value: `5.7` equals `5.70`.
    public static func == (left: ScaledDecimal, right: ScaledDecimal) -> Bool {
        left.scale == right.scale ? left.unscaled == right.unscaled : left.atMaximumScale == right.atMaximumScale
    }

    /// Hashes the value, not the scale: equal numbers have equal hashes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(atMaximumScale)
    }
}

extension ScaledDecimal: Comparable {
    /// Returns a Boolean value that indicates whether the left value is less than the right one.
    ///
    /// The scales do not matter.
    public static func < (left: ScaledDecimal, right: ScaledDecimal) -> Bool {
        left.scale == right.scale ? left.unscaled < right.unscaled : left.atMaximumScale < right.atMaximumScale
    }
}
