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

extension Decimal {
    /// The number without a fraction; `nil` where it has one, or where no `Int64` holds it.
    var wholeNumber: Int64? {
        guard isFinite else { return nil }
        // A whole number's text has no point: `Decimal` writes no exponent.
        return Int64(description)
    }

    /// The number as a whole number of units of 10 to the power of -scale; `nil` where that is none, or where no decimal has that scale.
    func units(scale: Int) -> Int64? {
        guard FixtureField.scales.contains(scale) else { return nil }
        return (self * Decimal(sign: .plus, exponent: scale, significand: 1)).wholeNumber
    }

    /// The number that the digits of JSON say, and not one near it; `nil` where a `Decimal` holds no such number.
    init?(exactly digits: String) {
        let parts = digits.utf8.split(omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        let number = parts[0].drop { $0 == UInt8(ascii: "-") }.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        var significant = Array(number.joined().drop { $0 == UInt8(ascii: "0") })
        guard !significant.isEmpty else {
            self = 0
            return
        }
        guard var exponent = parts.count < 2 ? 0 : Int(String(decoding: parts[1], as: UTF8.self)) else { return nil }
        guard exponent.magnitude <= 1_000, number.count < 2 || number[1].count <= 1_000 else { return nil }
        exponent -= number.count < 2 ? 0 : number[1].count
        while significant.last == UInt8(ascii: "0") {
            significant.removeLast()
            exponent += 1
        }
        // Behind 38 digits not every number has its place any more.
        guard significant.count <= 38, (-127...127).contains(exponent),
            let significand = Decimal(string: String(decoding: significant, as: UTF8.self))
        else { return nil }
        self.init(
            sign: digits.utf8.first == UInt8(ascii: "-") ? .minus : .plus, exponent: exponent, significand: significand)
    }
}
