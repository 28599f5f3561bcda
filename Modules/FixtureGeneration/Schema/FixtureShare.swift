public import Foundation

/// A share of the rows from none to all, in whole millionths.
public struct FixtureShare: Sendable, Hashable {
    /// Millionths, 0 to 1,000,000.
    public let millionths: Int

    /// No row.
    public static let none = FixtureShare(unchecked: 0)

    /// A share.
    ///
    /// - Parameter share: 0 to 1, with at most six digits behind the point; `nil` is returned for every other number.
    public init?(_ share: Decimal) {
        let millionths = share * 1_000_000
        guard millionths >= 0, millionths <= 1_000_000 else { return nil }
        guard let whole = millionths.wholeNumber else { return nil }
        self.millionths = Int(whole)
    }

    private init(unchecked millionths: Int) { self.millionths = millionths }

    /// A share in whole millionths, brought into 0...1,000,000.
    init(millionths: Int) { self.init(unchecked: min(max(millionths, 0), 1_000_000)) }

    /// A share in whole percent.
    ///
    /// - Parameter percent: Brought into 0...100.
    /// - Returns: The share.
    public static func percent(_ percent: Int) -> Self {
        Self(unchecked: min(max(percent, 0), 100) * 10_000)
    }

    /// The share as a number from 0 to 1.
    public var decimal: Decimal { Decimal(millionths) / 1_000_000 }

    /// Bits below this stand for the share.
    var threshold: UInt64 {
        millionths >= 1_000_000 ? UInt64.max : UInt64(millionths) * (UInt64.max / 1_000_000)
    }

    /// So many of a count, rounded to the nearest.
    func count(of whole: Int) -> Int {
        let (high, low) = UInt64(max(0, whole)).multipliedFullWidth(by: UInt64(millionths))
        let product = UInt128(high) << 64 | UInt128(low)
        return Int(clamping: (product + 500_000) / 1_000_000)
    }
}
