import Foundation
import StrataPersistence
import Testing

@Suite("Other values as text")
struct ValueTextTests {
    @Test(
        "an integer is parsed from digits with an optional sign",
        arguments: [
            ("0", 0), ("-0", 0), ("+7", 7), ("007", 7), ("-12", -12), ("9223372036854775807", Int64.max),
            ("-9223372036854775808", Int64.min), ("00000000000000000000000000000000000001", 1),
        ] as [(String, Int64)])
    func integers(text: String, value: Int64) throws {
        #expect(try IntegerText.parse(Array(text.utf8).span) == value)
        var bytes: [UInt8] = []
        IntegerText.append(value, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == String(value))
    }

    @Test(
        "an invalid integer and an integer out of range are rejected with different reasons",
        arguments: [
            ("", "not a whole number"), ("-", "not a whole number"), ("+", "not a whole number"),
            (" 1", "not a whole number"), ("1 ", "not a whole number"), ("1.0", "not a whole number"),
            ("1e3", "not a whole number"), ("--1", "not a whole number"), ("0x1", "not a whole number"),
            ("99999999999999999999x", "not a whole number"),
            ("9223372036854775808", "out of range (-9223372036854775808 to 9223372036854775807)"),
            ("-9223372036854775809", "out of range (-9223372036854775808 to 9223372036854775807)"),
            ("100000000000000000000000", "out of range (-9223372036854775808 to 9223372036854775807)"),
        ])
    func notIntegers(text: String, reason: String) {
        #expect(throws: InvalidText(reason)) { try IntegerText.parse(Array(text.utf8).span) }
    }

    @Test(
        "a number is parsed as the nearest double",
        arguments: [("1", 1), ("-1.5", -1.5), (".5", 0.5), ("+6e23", 6e23), ("1E-400", 0), ("0.1", 0.1), ("-0", -0.0)])
    func doubles(text: String, value: Double) throws {
        #expect(try DoubleText.parse(Array(text.utf8).span) == value)
        var bytes: [UInt8] = []
        try DoubleText.append(value, to: &bytes)
        #expect(try DoubleText.parse(bytes.span) == value)
    }

    @Test(
        "nan, inf, hexadecimal numbers and numbers with spaces are rejected, and 1e999 is out of range",
        arguments: [
            ("", "not a number"), ("nan", "not a number"), ("inf", "not a number"), ("infinity", "not a number"),
            ("0x1p3", "not a number"), (" 1", "not a number"), ("1 ", "not a number"), ("1,5", "not a number"),
            (".", "not a number"), ("1.", "not a number"), ("1e", "not a number"), ("e1", "not a number"),
            ("1e999", "out of range (at most 1.8e308)"), ("-1e999", "out of range (at most 1.8e308)"),
        ])
    func notDoubles(text: String, reason: String) {
        #expect(throws: InvalidText(reason)) { try DoubleText.parse(Array(text.utf8).span) }
    }

    @Test("a number that is not finite has no text", arguments: [Double.infinity, -.infinity, .nan])
    func notFinite(value: Double) {
        var bytes: [UInt8] = []
        #expect(throws: InvalidText("\(value) is not a finite number and has no text")) {
            try DoubleText.append(value, to: &bytes)
        }
        #expect(bytes.isEmpty)
    }

    @Test(
        "truth values are parsed from six words in any case",
        arguments: [
            ("true", true), ("TRUE", true), ("True", true), ("yes", true), ("1", true), ("false", false), ("No", false),
            ("0", false), ("FALSE", false),
        ])
    func booleans(text: String, value: Bool) throws {
        #expect(try BooleanText.parse(Array(text.utf8).span) == value)
    }

    @Test(
        "a text other than the six words is rejected as a truth value",
        arguments: [
            "", "y", "t", "on", "2", "10", "01", "truee", "fals", " true", "true ", "\u{11}", "\u{10}", "wahr", "-1",
        ])
    func notBooleans(text: String) {
        #expect(throws: InvalidText("not true or false (true, yes, 1, false, no or 0)")) {
            try BooleanText.parse(Array(text.utf8).span)
        }
    }

    @Test("truth values are written as true and false")
    func writingBooleans() {
        var bytes: [UInt8] = []
        BooleanText.append(true, to: &bytes)
        BooleanText.append(false, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "truefalse")
    }

    @Test("UUIDs are read in any case and written in upper case")
    func uuids() throws {
        let text = "9d6e1a2c-0000-4B00-8a00-00000000ffff"
        var bytes: [UInt8] = []
        UUIDText.append(try UUIDText.parse(Array(text.utf8).span), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == text.uppercased())
    }

    @Test(
        "an invalid UUID is rejected with the expected form",
        arguments: [
            "", "9d6e1a2c", "9d6e1a2c-0000-4B00-8a00-00000000fff", "{9d6e1a2c-0000-4B00-8a00-00000000ffff}",
            "9d6e1a2c-0000-4B00-8a00-00000000fffg", "9d6e1a2c-0000-4B00-8a00-00000000ffff\n",
        ])
    func notUUIDs(text: String) {
        #expect(throws: InvalidText("not a UUID (8-4-4-4-12 hexadecimal digits)")) {
            try UUIDText.parse(Array(text.utf8).span)
        }
    }

    @Test(
        "binary data is read and written as base64",
        arguments: [("", []), ("AA==", [0]), ("/+8B", [0xFF, 0xEF, 1])] as [(String, [UInt8])])
    func binary(text: String, data: [UInt8]) throws {
        #expect(try BinaryText.parse(Array(text.utf8).span) == Data(data))
        var bytes: [UInt8] = []
        BinaryText.append(Data(data), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test(
        "invalid base64 is rejected with the broken rule",
        arguments: ["A", "AA", "AA=", "A===", "AA-_", "AA==\n", "é==="])
    func notBinary(text: String) {
        #expect(throws: InvalidText("not base64 (A-Z, a-z, 0-9, + and /, padded with = to a multiple of 4)")) {
            try BinaryText.parse(Array(text.utf8).span)
        }
    }
}
