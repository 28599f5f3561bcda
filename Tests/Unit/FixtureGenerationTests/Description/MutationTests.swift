import Foundation
import StrataCore
import StrataReferenceFixtures
import Testing

@testable import StrataFixtures

@Suite("Mutated descriptions")
struct MutationTests {
    /// The replacements of any value: extremes of all types, and values of other types.
    static let replacements: [JSONValue.Content] =
        [
            .null, .boolean(true), .boolean(false), .string(""), .string("a\u{0}b"), .string("2024-02-29"),
            .string("9999-12-31T23:59:59Z"), .string("Employee"), .string("unitCost"), .array([]), .object([]),
            .array([.init(.number("0")), .init(.number("1000000000"))]),
            .array([.init(.number("3")), .init(.number("3"))]),
            .array([.init(.string("a")), .init(.string("a"))]), .array((0..<7).map { .init(.number("\($0 / 6)")) }),
        ]
        + [
            "0", "1", "-1", "2", "18", "19", "0.5", "0.000001", "1e-7", "1e3", "1e38", "1e-128", "1000000", "1000001",
            "9007199254740992", "9007199254740993", "9223372036854775807", "-9223372036854775808",
            "9223372036854775808",
            "18446744073709551615", "92233720368547758.07", "-0", "99999999999999999999999999999999999999",
        ].map { .number($0) }

    /// Returns the count of nested values, including the value itself.
    static func size(_ value: JSONValue) -> Int {
        switch value.content {
        case .array(let elements): elements.reduce(1) { $0 + size($1) }
        case .object(let members): members.reduce(1) { $0 + size($1.value) }
        default: 1
        }
    }

    /// Returns the value with one nested value replaced, counted from the value itself.
    static func replaced(_ value: JSONValue, _ place: inout Int, _ content: JSONValue.Content)
        -> JSONValue
    {
        place -= 1
        if place == -1 { return JSONValue(content) }
        switch value.content {
        case .array(let elements):
            return JSONValue(.array(elements.map { replaced($0, &place, content) }))
        case .object(let members):
            return JSONValue(
                .object(members.map { .init(name: $0.name, value: replaced($0.value, &place, content)) }))
        default: return value
        }
    }

    static let start = """
        {"seed": 1, "hostile": 0.1, "locales": {"en": 1, "ja": 1}, "entities": {
          "Boss": {"count": 4, "attributes": {"lastName": {"code": {"prefix": "B", "digits": 3}, "unique": true},
            "firstName": {"oneOf": {"a": 1, "b": 2}}}, "fixed": [{"firstName": "x", "lastName": "B001"}]},
          "Employee": {"count": 20, "attributes": {
            "salary": {"normal": {"mean": 50000, "deviation": 9000, "minimum": 20000, "maximum": 90000, "step": 10}},
            "dateHired": {"dates": {"from": "2001-01-01", "to": "2002-01-01", "weekdays": [1, 1, 1, 1, 1, 0, 0],
              "precision": "second"}},
            "boss": {"reference": {"without": 0.1, "perTarget": [1, 12]}}}, "fixed": [{"boss": 1}, {"boss": null}]},
          "Item": {"count": 20, "attributes": {
            "unitCost": {"uniform": {"minimum": 0.5, "maximum": 9.99, "step": 0.01}},
            "unitPrice": {"markup": {"over": "unitCost", "percent": [1, 9]}},
            "stockCount": {"logNormal": {"median": 5, "sigma": 1.5, "minimum": 0, "maximum": 99, "step": 3}},
            "name": {"kind": "fullName", "unique": true}}, "fixed": [{"unitCost": 1.25, "stockCount": 3}]}}}
        """

    static let rounds: UInt64 = 250

    @Test("a description with one or two replaced values is rejected or generates rows")
    func replace() throws {
        let usual = try JSONValue.read(Array(Self.start.utf8))
        let size = UInt64(Self.size(usual))
        var made = 0
        for round in 0..<Self.rounds {
            var value = usual
            for step in 0...(round % 2) {
                let bits = RowBits(key: round, index: step)
                var place = Int(bits.value(1, below: size))
                let content = Self.replacements[Int(bits.value(2, below: UInt64(Self.replacements.count)))]
                value = Self.replaced(value, &place, content)
            }
            do throws(FixtureError) {
                let description = try FixtureDescription(json: Array(value.json.utf8), source: "it.json")
                let again = try FixtureDescription(json: Array(description.json.utf8), source: "it.json")
                #expect(again == description, "\(value.json)")
                // Millions of bosses with bounds take too long here and are tested elsewhere.
                guard description.entities.values.allSatisfy({ $0.count < 100_000 || $0.count > 10_000_000 }) else {
                    continue
                }
                let fixtures = try Fixtures(description)
                for entity in description.entities.keys {
                    for index in 0..<min(5, fixtures.count(of: entity)) { _ = try fixtures.row(of: entity, at: index) }
                }
                made += 1
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
        // Most mutations are rejected, but not all.
        #expect(made > 10)
    }

    @Test("a description with changed, removed or repeated bytes is accepted, or rejected with a line")
    func bytes() {
        let usual = Array(Self.start.utf8)
        for round in 0..<1_500 as Range<UInt64> {
            let bits = RowBits(key: round, index: 0)
            var bytes = usual
            let place = Int(bits.value(1, below: UInt64(bytes.count)))
            switch round % 4 {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: bits.bits(2))
            case 1: bytes.removeSubrange(place...)
            case 2: bytes.remove(at: place)
            default: bytes.insert(bytes[Int(bits.value(3, below: UInt64(bytes.count)))], at: place)
            }
            do throws(FixtureError) {
                _ = try FixtureDescription(json: bytes, source: "it.json")
            } catch {
                #expect(error.line != nil && error.source == "it.json")
            }
        }
    }
}
