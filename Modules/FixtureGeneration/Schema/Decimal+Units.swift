import Foundation

extension Decimal {
    /// The number as an `Int64`, or `nil` if it has a fraction or is out of range.
    var wholeNumber: Int64? {
        guard isFinite else { return nil }
        // The text of an integer has no decimal point, because `Decimal` writes no exponent.
        return Int64(description)
    }

    /// Returns the number in units of 10 to the power of -scale.
    ///
    /// The result is `nil` if it is not an `Int64`, or if the scale is invalid.
    func units(scale: Int) -> Int64? {
        guard FixtureField.scales.contains(scale) else { return nil }
        return (self * Decimal(sign: .plus, exponent: scale, significand: 1)).wholeNumber
    }

    /// Creates the exact value of a number in JSON, or returns `nil` if a `Decimal` cannot represent it.
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
        // `Decimal` does not represent every number with more than 38 digits.
        guard significant.count <= 38, (-127...127).contains(exponent),
            let significand = Decimal(string: String(decoding: significant, as: UTF8.self))
        else { return nil }
        self.init(
            sign: digits.utf8.first == UInt8(ascii: "-") ? .minus : .plus, exponent: exponent, significand: significand)
    }
}
