import Foundation
import Testing

@testable import StrataFixtures

@Suite("Exact numbers of descriptions")
struct ExactNumberTests {
    struct Number: Sendable, CustomTestStringConvertible {
        let digits: String
        /// The number as `Decimal` prints it, or `nil` if the text is not a number.
        let written: String?
        var testDescription: String { digits }
    }

    static let digits38 = String(repeating: "9", count: 38)

    static let numbers: [Number] = [
        Number(digits: "0", written: "0"), Number(digits: "-0", written: "0"), Number(digits: "0.000", written: "0"),
        Number(digits: "0e999999999999999999999", written: "0"), Number(digits: "1.10", written: "1.1"),
        Number(digits: "-12.50", written: "-12.5"), Number(digits: "1e3", written: "1000"),
        Number(digits: "1E+3", written: "1000"), Number(digits: "1500e-2", written: "15"),
        Number(digits: "0.1e1", written: "1"), Number(digits: "100", written: "100"),
        Number(digits: "9223372036854775808", written: "9223372036854775808"),
        Number(digits: digits38, written: digits38), Number(digits: "-0." + digits38, written: "-0." + digits38),
        Number(digits: digits38 + "000", written: digits38 + "000"), Number(digits: digits38 + "9", written: nil),
        Number(digits: "1." + String(repeating: "0", count: 40) + "1", written: nil),
        Number(digits: "1." + String(repeating: "0", count: 40), written: "1"),
        Number(digits: "1e400", written: nil), Number(digits: "1e-400", written: nil),
        Number(digits: "1e99999999999999999999", written: nil), Number(digits: "1e-99999999999999999999", written: nil),
        Number(digits: "1e9223372036854775807", written: nil), Number(digits: "1e-9223372036854775808", written: nil),
    ]

    @Test("a number is read exactly, and a number that cannot be represented exactly is rejected", arguments: numbers)
    func exactly(_ number: Number) {
        #expect(Decimal(exactly: number.digits)?.description == number.written)
    }

    struct Units: Sendable, CustomTestStringConvertible {
        let digits: String
        let scale: Int
        let units: Int64?
        var testDescription: String { "\(digits) in \(scale) digits" }
    }

    static let units: [Units] = [
        Units(digits: "1", scale: 2, units: 100), Units(digits: "1.50", scale: 1, units: 15),
        Units(digits: "1.55", scale: 1, units: nil), Units(digits: "-0.5", scale: 0, units: nil),
        Units(digits: "9223372036854775807", scale: 0, units: .max),
        Units(digits: "-9223372036854775808", scale: 0, units: .min),
        Units(digits: "9223372036854775808", scale: 0, units: nil),
        Units(digits: "92233720368547758.07", scale: 2, units: .max),
        Units(digits: "92233720368547758.08", scale: 2, units: nil),
        Units(digits: "9.223372036854775807", scale: 18, units: .max), Units(digits: "1", scale: 19, units: nil),
        Units(digits: "1", scale: -1, units: nil), Units(digits: "1", scale: .max, units: nil),
        Units(digits: "1e100", scale: 18, units: nil), Units(digits: "1e127", scale: 18, units: nil),
    ]

    @Test("a decimal number is converted to a 64-bit count of its smallest units, or is rejected", arguments: units)
    func inUnits(_ one: Units) throws {
        #expect(try #require(Decimal(exactly: one.digits)).units(scale: one.scale) == one.units)
        #expect(Decimal.nan.units(scale: one.scale) == nil)
    }

    @Test("a share is accepted only if it is a whole count of millionths from 0 to 1")
    func shares() throws {
        for (digits, millionths) in [
            ("0", 0), ("1", 1_000_000), ("1.0", 1_000_000), ("0.05", 50_000), ("0.000001", 1), ("1e-6", 1),
            ("0.999999", 999_999),
        ] {
            #expect(FixtureShare(try #require(Decimal(exactly: digits)))?.millionths == millionths)
        }
        for digits in ["-0.1", "1.000001", "0.0000001", "2", "-1e-38", "1e38"] {
            #expect(FixtureShare(try #require(Decimal(exactly: digits))) == nil)
        }
        #expect(FixtureShare(Decimal.nan) == nil)
        #expect(FixtureShare.percent(-5) == .none)
        #expect(FixtureShare.percent(.max).millionths == 1_000_000)
    }

    @Test("a share of a count is rounded to the nearest integer without overflow")
    func counts() {
        #expect(FixtureShare.percent(5).count(of: 150) == 8)
        #expect(FixtureShare.percent(5).count(of: 149) == 7)
        #expect(FixtureShare.percent(100).count(of: .max) == .max)
        #expect(FixtureShare.none.count(of: .max) == 0)
        #expect(FixtureShare.percent(50).count(of: .min) == 0)
    }
}
