import Foundation
import StrataPersistence
import StrataTestSupport
import Testing

@Suite("Scaled decimals")
struct ScaledDecimalTests {
    @Test(
        "a text is read exactly, with its own scale",
        arguments: [
            ("0", 0, 0), ("-12.50", -1250, 2), ("+3", 3, 0), (".5", 5, 1), ("-.5", -5, 1), ("007", 7, 0),
            ("1.5e3", 1500, 0), ("1.5E+3", 1500, 0), ("1.5e-3", 15, 4), ("15e-1", 15, 1), ("100e-2", 100, 2),
            ("0.00", 0, 2), ("-0", 0, 0), ("0e999999999999999999999", 0, 0), ("0e-5", 0, 5),
            ("9223372036854775807", Int64.max, 0), ("-9223372036854775808", Int64.min, 0),
            ("-9.223372036854775808", Int64.min, 18), ("9223372036854775807.000", Int64.max, 0),
            ("0.1000000000000000000000000000", 100_000_000_000_000_000, 18), ("1e18", 1_000_000_000_000_000_000, 0),
            ("1e-18", 1, 18), ("10.00000000000000000000", 1_000_000_000_000_000_000, 17),
        ] as [(String, Int64, UInt8)])
    func reading(text: String, unscaled: Int64, scale: UInt8) {
        let value = ScaledDecimal(text)
        #expect(value?.unscaled == unscaled)
        #expect(value?.scale == scale)
        #expect(ScaledDecimal(utf8: Array(text.utf8))?.unscaled == unscaled)
        #expect(ScaledDecimal(utf8: AnyCollection(text.utf8)) == value)
    }

    @Test(
        "a text that is not a number or out of range is nil",
        arguments: [
            "", " ", "+", "-", ".", "5.", "-.", "1 ", " 1", "1,5", "1_000", "nan", "inf", "0x10", "1e", "1e+", "1e1.5",
            "--1",
            "1..2", "1.2.3", "٣", "9223372036854775808", "-9223372036854775809", "1e19", "1e999999999999999999999",
            "1e-19", "0.1234567890123456789", "1e-999999999999999999999", "12345678901234567890123", "1\u{0}",
        ])
    func refused(text: String) {
        #expect(ScaledDecimal(text) == nil)
    }

    @Test(
        "a decimal is written with as many fraction digits as its scale",
        arguments: [
            (10010, 2, "100.10"), (-5, 2, "-0.05"), (0, 0, "0"), (0, 3, "0.000"), (7, 0, "7"), (-7, 0, "-7"),
            (Int64.min, 0, "-9223372036854775808"), (Int64.min, 18, "-9.223372036854775808"),
            (Int64.max, 1, "922337203685477580.7"), (1, 18, "0.000000000000000001"),
        ] as [(Int64, UInt8, String)])
    func writing(unscaled: Int64, scale: UInt8, text: String) {
        let value = ScaledDecimal(unscaled: unscaled, scale: scale)
        #expect(value.description == text)
        var bytes = Array("x".utf8)
        value.append(to: &bytes)
        #expect(bytes == Array("x\(text)".utf8))
    }

    @Test("any number is read from its text unchanged")
    func roundTrip() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            let shift = Int.random(in: 0...63, using: &generator)
            let unscaled = Int64(truncatingIfNeeded: generator.next()) >> Int64(shift)
            let value = ScaledDecimal(unscaled: unscaled, scale: UInt8.random(in: 0...18, using: &generator))
            let read = ScaledDecimal(value.description)
            #expect(read?.unscaled == value.unscaled && read?.scale == value.scale, "\(value)")
            #expect(ScaledDecimal(value.decimal) == value)
        }
    }

    @Test("equality, hashing and order use the value")
    func byValue() throws {
        let short = ScaledDecimal(unscaled: 57, scale: 1)
        let long = ScaledDecimal(unscaled: 570, scale: 2)
        #expect(short == long)
        #expect(Set([short, long]).count == 1)
        #expect(!(short < long) && !(long < short))
        let sorted = ["-9223372036854775808", "-0.051", "-0.05", "0", "0.049999", "0.05", "1", "9223372036854775807"]
        let values = try sorted.map { try #require(ScaledDecimal($0)) }
        for (left, right) in zip(values, values.dropFirst()) {
            #expect(left < right)
            #expect(left != right)
        }
    }

    @Test(
        "changing the scale keeps the value or returns nil",
        arguments: [
            ("5.7000", 2, "5.70"), ("0.125", 2, nil), ("5.7", 4, "5.7000"), ("5", 18, "5.000000000000000000"),
            ("10", 18, nil), ("-1.50", 1, "-1.5"), ("-1.55", 1, nil), ("5", 19, nil), ("5", 255, nil),
        ] as [(String, UInt8, String?)])
    func rescaling(text: String, scale: UInt8, expected: String?) throws {
        #expect(try #require(ScaledDecimal(text)).rescaled(to: scale)?.description == expected)
    }

    @Test(
        "sums, differences and products are exact or nil",
        arguments: [
            ("0.1", "0.20", "0.30", "-0.10", "0.020"), ("1.5", "-1.5", "0.0", "3.0", "-2.25"),
            ("9223372036854775807", "1", nil, "9223372036854775806", "9223372036854775807"),
            ("-9223372036854775808", "1", "-9223372036854775807", nil, "-9223372036854775808"),
            ("0.000000000000000001", "0.1", "0.100000000000000001", "-0.099999999999999999", nil),
            ("-9223372036854775808", "-9223372036854775808", nil, "0", nil),
            ("9000000000000000000", "0.0", "9000000000000000000", "9000000000000000000", "0.0"),
        ] as [(String, String, String?, String?, String?)])
    func arithmetic(left: String, right: String, sum: String?, difference: String?, product: String?) throws {
        let left = try #require(ScaledDecimal(left))
        let right = try #require(ScaledDecimal(right))
        #expect(left.adding(right)?.description == sum)
        #expect(left.subtracting(right)?.description == difference)
        #expect(left.multiplied(by: right)?.description == product)
    }

    @Test(
        "rounding down rounds toward negative infinity",
        arguments: [
            ("0.129", 2, "0.12"), ("-0.121", 2, "-0.13"), ("-0.120", 2, "-0.12"), ("5", 2, "5"), ("-0.5", 0, "-1"),
            ("-9.223372036854775808", 0, "-10"),
        ] as [(String, UInt8, String)])
    func flooring(text: String, scale: UInt8, expected: String) throws {
        #expect(try #require(ScaledDecimal(text)).floored(to: scale).description == expected)
    }

    @Test(
        "a decimal that fits is converted exactly, and others are nil",
        arguments: [
            (Decimal(string: "12.5"), "12.5"), (Decimal(string: "-0.000000000000000001"), "-0.000000000000000001"),
            (Decimal(0), "0"), (Decimal(string: "1e30"), nil), (Decimal(string: "1e-19"), nil), (Decimal.nan, nil),
            (Decimal(Int64.min), "-9223372036854775808"),
        ] as [(Decimal?, String?)])
    func decimals(decimal: Decimal?, expected: String?) throws {
        let decimal = try #require(decimal)
        let value = ScaledDecimal(decimal)
        #expect(value?.description == expected)
        if let value { #expect(value.decimal == decimal) }
    }

    @Test("a decimal is encoded as its text, and decoded only from a number's text")
    func coding() throws {
        let data = try JSONEncoder().encode([ScaledDecimal(unscaled: -1250, scale: 2)])
        #expect(String(decoding: data, as: UTF8.self) == #"["-12.50"]"#)
        let read = try JSONDecoder().decode([ScaledDecimal].self, from: data)
        #expect(read.map(\.description) == ["-12.50"])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ScaledDecimal].self, from: Data(#"["12,5"]"#.utf8))
        }
    }

    @Test("a scale of more than 18 ends the program")
    func scaleOutOfRange() async {
        await #expect(processExitsWith: .failure) { _ = ScaledDecimal(unscaled: 1, scale: 19) }
    }
}
