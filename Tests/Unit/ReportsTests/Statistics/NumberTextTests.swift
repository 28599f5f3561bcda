import Testing

@testable import StrataReports

@Suite("Numbers as text")
struct NumberTextTests {
    private static let numbers: [(Double, String)] = [
        (0, "0"), (0.5, "0.5"), (-1234.25, "−1,234.25"), (1e6, "1,000,000"), (0.000_001, "0.000001"),
        (1e-8, "1 × 10⁻⁸"), (-2.5e30, "−2.5 × 10³⁰"), (123_456_789_012, "123,456,789,012"),
        (.leastNonzeroMagnitude, "5 × 10⁻³²⁴"),
        (.greatestFiniteMagnitude, "1.7976931348623157 × 10³⁰⁸"),
    ]

    @Test(
        "numbers are written in groups of three digits, or with a power of ten instead of many zeros",
        arguments: numbers)
    func number(number: Double, text: String) {
        #expect(NumberText.number(DecimalNumber(number)) == text)
    }

    private static let shares: [(Int, Int, String)] = [
        (0, 5, "0 %"), (5, 5, "100 %"), (1, 3, "33.3 %"), (1, 1_000_000, "< 0.1 %"), (999_999, 1_000_000, "> 99.9 %"),
        (1, 2, "50.0 %"), (0, 0, "0 %"), (.max - 1, .max, "> 99.9 %"),
    ]

    @Test("a share is written as 0 % or 100 % only if the share is exact", arguments: shares)
    func share(part: Int, whole: Int, text: String) {
        #expect(NumberText.share(part, of: whole) == text)
    }

    @Test("a decimal number is rounded half away from zero")
    func rounding() {
        #expect(DecimalNumber(125, exponent: -1).rounded(toExponent: 0) == DecimalNumber(13, exponent: 0))
        #expect(DecimalNumber(-125, exponent: -1).rounded(toExponent: 0) == DecimalNumber(-13, exponent: 0))
        #expect(DecimalNumber(124, exponent: -1).rounded(toExponent: 0) == DecimalNumber(12, exponent: 0))
        #expect(DecimalNumber(1, exponent: -40).rounded(toExponent: 0) == DecimalNumber(0, exponent: 0))
        #expect(DecimalNumber(99_999, exponent: 0).rounded(toDigits: 3) == DecimalNumber(1000, exponent: 2))
    }

    @Test("the scale of counts has round ticks and ends at the first tick not below the greatest count")
    func scale() {
        #expect(CountScale(0).ticks == [0, 1])
        #expect(CountScale(3).ticks == [0, 1, 2, 3])
        #expect(CountScale(5).ticks == [0, 2, 4, 6])
        #expect(CountScale(1000).ticks == [0, 500, 1000])
        #expect(CountScale(43_210).ticks == [0, 20_000, 40_000, 60_000])
        #expect(CountScale(1 << 60).top >= 1 << 60)
    }
}
