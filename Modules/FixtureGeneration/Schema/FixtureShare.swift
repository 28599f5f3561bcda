public import Foundation

/// A share of the rows from 0 to 1, in integer millionths.
///
/// A share is a probability: each row decides independently, so the count of selected rows varies around the share.
/// Only bounded references select an exact count. Integer millionths avoid different results of floating-point
/// arithmetic.
///
/// ## Topics
///
/// ### Creating a share
///
/// - ``init(_:)``
/// - ``percent(_:)``
/// - ``none``
///
/// ### Reading a share
///
/// - ``decimal``
/// - ``millionths``
public struct FixtureShare: Sendable, Hashable {
    /// The millionths, from 0 to 1,000,000.
    public let millionths: Int

    /// The share of no rows.
    public static let none = FixtureShare(unchecked: 0)

    /// Creates a share, or returns `nil` if the number is not a share.
    ///
    /// `FixtureShare(0.25)` is a quarter. A literal with a fraction is converted from a `Double`; compute other
    /// fractions with integers, as in `Decimal(1) / 8`.
    ///
    /// - Parameter share: A number from 0 to 1 with at most six fraction digits.
    public init?(_ share: Decimal) {
        let millionths = share * 1_000_000
        guard millionths >= 0, millionths <= 1_000_000 else { return nil }
        guard let whole = millionths.wholeNumber else { return nil }
        self.millionths = Int(whole)
    }

    private init(unchecked millionths: Int) { self.millionths = millionths }

    /// Creates a share from millionths, which are clamped to 0...1,000,000.
    init(millionths: Int) { self.init(unchecked: min(max(millionths, 0), 1_000_000)) }

    /// Returns a share in integer percent.
    ///
    /// - Parameter percent: The percentage, which is clamped to 0...100.
    /// - Returns: The share.
    public static func percent(_ percent: Int) -> Self {
        Self(unchecked: min(max(percent, 0), 100) * 10_000)
    }

    /// The share as a number from 0 to 1.
    public var decimal: Decimal { Decimal(millionths) / 1_000_000 }

    /// The threshold below which random bits select the share.
    ///
    /// For the share of all rows, it is `UInt64.max`, so that a row is not selected with a probability of 2^-64.
    var threshold: UInt64 {
        millionths >= 1_000_000 ? UInt64.max : UInt64(millionths) * (UInt64.max / 1_000_000)
    }

    /// Returns the share of a count, rounded to the nearest integer.
    ///
    /// Halves are rounded up.
    func count(of whole: Int) -> Int {
        let (high, low) = UInt64(max(0, whole)).multipliedFullWidth(by: UInt64(millionths))
        let product = UInt128(high) << 64 | UInt128(low)
        return Int(clamping: (product + 500_000) / 1_000_000)
    }
}
