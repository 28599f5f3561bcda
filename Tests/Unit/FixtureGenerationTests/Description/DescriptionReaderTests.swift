import Foundation
import StrataCore
import Testing

@testable import StrataFixtures

@Suite("JSON of descriptions")
struct DescriptionReaderTests {
    struct Malformed: Sendable, CustomTestStringConvertible {
        let json: [UInt8]
        let message: String
        var testDescription: String { "\(String(decoding: json.prefix(40), as: UTF8.self).debugDescription)" }

        init(_ json: String, _ message: String) {
            self.json = Array(json.utf8)
            self.message = message
        }

        init(_ json: [UInt8], _ message: String) {
            self.json = json
            self.message = message
        }
    }

    static let malformed: [Malformed] = [
        Malformed("", "line 1:1: the document ends where a value is expected"),
        Malformed(" \t\r\n ", "line 2:2: the document ends where a value is expected"),
        Malformed("{", "line 1:2: a name in quotes is expected here"),
        Malformed("{\"a\"", "line 1:5: a colon is expected here"),
        Malformed("{\"a\":", "line 1:6: the document ends where a value is expected"),
        Malformed("{\"a\":1", "line 1:7: a comma or } is expected here"),
        Malformed("{\"a\":1,}", "line 1:8: a name in quotes is expected here"),
        Malformed("{a:1}", "line 1:2: a name in quotes is expected here"),
        Malformed("{'a':1}", "line 1:2: a name in quotes is expected here"),
        Malformed("{\"a\":1 \"b\":2}", "line 1:8: a comma or } is expected here"),
        Malformed("{\r\n  \"a\": 1,\r\n  \"a\": 2\r\n}", "line 3:3: the name \"a\" occurs twice"),
        Malformed("{\"a\":1,\"\\u0061\":2}", "line 1:8: the name \"a\" occurs twice"),
        Malformed("[1,]", "line 1:4: this is not the beginning of a JSON value"),
        Malformed("[1 2]", "line 1:4: a comma or ] is expected here"),
        Malformed("[", "line 1:2: the document ends where a value is expected"),
        Malformed("[1", "line 1:3: a comma or ] is expected here"),
        Malformed("1 2", "line 1:3: there is more text after the document"),
        Malformed("{} // no", "line 1:4: there is more text after the document"),
        Malformed("NaN", "line 1:1: this is not the beginning of a JSON value"),
        Malformed("Infinity", "line 1:1: this is not the beginning of a JSON value"),
        Malformed("True", "line 1:1: this is not the beginning of a JSON value"),
        Malformed("tru", "line 1:1: this is not the beginning of a JSON value"),
        Malformed("truest", "line 1:5: there is more text after the document"),
        Malformed("+1", "line 1:1: this is not the beginning of a JSON value"),
        Malformed(".5", "line 1:1: this is not the beginning of a JSON value"),
        Malformed("-", "line 1:2: a digit is expected here"), Malformed("-x", "line 1:2: a digit is expected here"),
        Malformed("01", "line 1:2: there is more text after the document"),
        Malformed("[-01]", "line 1:4: a comma or ] is expected here"),
        Malformed("1.", "line 1:3: a digit is expected here"), Malformed("1e", "line 1:3: a digit is expected here"),
        Malformed("1e+", "line 1:4: a digit is expected here"),
        Malformed("1.5.2", "line 1:4: there is more text after the document"),
        Malformed("\"", "line 1:1: the text has no closing quote"),
        Malformed("[\"a\n\"]", "line 1:4: a control character must be written as an escape"),
        Malformed("\"\t\"", "line 1:2: a control character must be written as an escape"),
        Malformed("\"\\x\"", "line 1:3: this escape does not exist in JSON"),
        Malformed("\"\\", "line 1:3: this escape does not exist in JSON"),
        Malformed("\"\\u12\"", "line 1:6: an escape must have four hexadecimal digits"),
        Malformed("\"\\u12g4\"", "line 1:6: an escape must have four hexadecimal digits"),
        Malformed("\"\\u00é\"", "line 1:6: an escape must have four hexadecimal digits"),
        Malformed("\"\\ud83d\"", "line 1:8: the first half of a pair of escapes has no second half"),
        Malformed("\"\\ud83d\\n\"", "line 1:8: the first half of a pair of escapes has no second half"),
        Malformed("\"\\ud83d\\u0041\"", "line 1:14: the second half of a pair of escapes is invalid"),
        Malformed("\"\\ude00\"", "line 1:8: the second half of a pair of escapes has no first half"),
        Malformed([0x22, 0xC3, 0x22], "line 1:1: the text is not valid UTF-8"),
        Malformed([0x22, 0xED, 0xA0, 0x80, 0x22], "line 1:1: the text is not valid UTF-8"),
        Malformed([0xFF], "line 1:1: this is not the beginning of a JSON value"),
        Malformed([0x00], "line 1:1: this is not the beginning of a JSON value"),
        Malformed([0xEF, 0xBB, 0xBF], "line 1:1: the document ends where a value is expected"),
        Malformed([0xEF, 0xBB, 0xBF, 0x20, 0x78], "line 1:2: this is not the beginning of a JSON value"),
        Malformed([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF], "line 1:1: this is not the beginning of a JSON value"),
        Malformed([0x31, 0x00], "line 1:2: there is more text after the document"),
        Malformed(
            String(repeating: "[", count: 65), "line 1:65: the document is nested more than 64 levels deep"),
        Malformed(
            String(repeating: "[", count: 1_000_000), "line 1:65: the document is nested more than 64 levels deep"),
        Malformed(
            String(repeating: "{\"a\":", count: 65), "line 1:321: the document is nested more than 64 levels deep"),
    ]

    @Test("invalid JSON is rejected with the line and the byte column of the error", arguments: malformed)
    func refuse(_ case: Malformed) {
        let message = Samples.message { _ = try JSONValue.read(`case`.json) }
        #expect(message == `case`.message)
    }

    static let valid: [String] = [
        "null", "true", " false ", "0", "-0", "12.50", "-1e5", "1E-5", "[]", "{}", "[ ]", "{ }", "\"\"", "[[],{}]",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u00e9\\u20AC\\ud83d\\uDE00\"", "\"\\u0000\"", "\"é€😀\u{7F}\"",
        "{\"a\":{\"b\":[1,2,{\"c\":null}]},\"é\":true,\"\":\"\"}", "[1,\r\n\t2 , 3]", "[9007199254740993, 1e-7]",
        String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
    ]

    @Test("valid JSON is read with the same values as by Foundation", arguments: valid)
    func agreement(_ json: String) throws {
        let value = try JSONValue.read(Array(json.utf8))
        let expected = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
        #expect(Self.isSame(value, expected))
        let marked = try JSONValue.read([0xEF, 0xBB, 0xBF] + Array(json.utf8))
        #expect(Self.isSame(marked, expected))
        // The written text is read as the same value.
        let again = try JSONValue.read(Array(value.json.utf8))
        #expect(Self.isSame(again, expected))
        #expect(again.json == value.json)
    }

    static func isSame(_ value: JSONValue, _ expected: Any) -> Bool {
        switch value.content {
        case .null: return expected is NSNull
        case .boolean(let boolean): return expected as? Bool == boolean
        case .number(let digits): return (expected as? NSNumber)?.doubleValue == Double(digits)
        case .string(let text): return (expected as? String).map { Array($0.utf8) == Array(text.utf8) } ?? false
        case .array(let elements):
            guard let list = expected as? [Any], list.count == elements.count else { return false }
            return zip(elements, list).allSatisfy { isSame($0, $1) }
        case .object(let members):
            guard let object = expected as? [String: Any], object.count == members.count else { return false }
            return members.allSatisfy { member in object[member.name].map { isSame(member.value, $0) } ?? false }
        }
    }

    @Test("canonically equal member names with different bytes are distinct, and numbers keep their digits")
    func exact() throws {
        let value = try JSONValue.read(Array("{\"caf\u{E9}\":1,\"cafe\u{301}\":1.10e+02}".utf8))
        guard case .object(let members) = value.content, case .number(let digits) = members[1].value.content else {
            Issue.record("\(value)")
            return
        }
        #expect(members.count == 2)
        #expect(digits == "1.10e+02")
        #expect(members[1].value.place == .init(line: 1, column: 21))
    }
}
