import Foundation
import StrataTestSupport
import Testing

@testable import StrataCore

/// Rounding of doubles, compared with rounding of all their decimal digits.
@Suite("Rounding")
struct RoundingTests {
    /// Returns the double nearest to the number's decimal text, rounded digit by digit.
    private static func expected(_ number: Double, _ digits: Int) throws -> Double {
        // The text is exact for every double from 2^-30 on, because the C library writes all its digits.
        let parts = String(format: "%.90f", number.magnitude).split(separator: ".")
        var text = Array((parts[0] + parts[1]).utf8).map { Int($0) - 48 }
        let kept = parts[0].count + digits
        if kept < 0 { return 0 }
        let isUp = text[kept] >= 5
        for index in kept..<text.count { text[index] = 0 }
        var place = kept - 1
        var carry = isUp ? 1 : 0
        while carry > 0, place >= 0 {
            text[place] += 1
            carry = text[place] == 10 ? 1 : 0
            if carry == 1 { text[place] = 0 }
            place -= 1
        }
        let whole = (carry == 1 ? "1" : "") + text.prefix(parts[0].count).map(String.init).joined()
        let result = try #require(Double("\(whole).\(text.dropFirst(parts[0].count).map(String.init).joined())"))
        return number < 0 ? 0 - result : result
    }

    @Test(
        "numbers halfway between two results and numbers near them are rounded correctly",
        arguments: [
            (2.675, 2, 2.67), (0.125, 2, 0.13), (-2.5, 0, -3), (90.707_262_724_774_17, 14, 90.707_262_724_774_17),
            (0.189_464_231_814_258_8, 18, 0.189_464_231_814_258_8),
            (8.052_649_265_279_946e16, -2, 8.052_649_265_279_95e16),
            (1e300, 18, 1e300), (1.797e308, -18, 1.797e308), (0.49999999999999994, 0, 0),
            (4_503_599_627_370_495.5, 0, 4_503_599_627_370_496),
            (5e17, -18, 1e18), (4.999e17, -18, 0), (-0.4, 0, 0),
        ])
    func examples(number: Double, digits: Int, wanted: Double) {
        let found = number.rounded(toDigits: digits)
        #expect(found == wanted && !(found == 0 && found.sign == .minus))
    }

    @Test("random numbers of every size are rounded like their decimal text", arguments: Seeds.first(3, of: 1...20))
    func random(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<2_000 {
            var number = pow(2, Double.random(in: -30...80, using: &random))
            // Some of the numbers are halfway between two results.
            if Bool.random(using: &random) { number = (number * 1_000).rounded() / 1_000 + 0.0005 }
            if Bool.random(using: &random) { number = -number }
            let digits = Int.random(in: FetchFunction.digits, using: &random)
            #expect(number.rounded(toDigits: digits) == (try Self.expected(number, digits)), "\(number), \(digits)")
        }
    }
}
