import Foundation
import StrataReferenceFixtures
import Testing

@testable import StrataFixtures

@Suite("Validation of generator parameters")
struct GeneratorRefusalTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let type: FixtureField.ValueType
        let json: String
        let message: String
        var testDescription: String { json }

        init(_ type: FixtureField.ValueType, _ json: String, _ message: String) {
            self.type = type
            self.json = json
            self.message = message
        }
    }

    static let bounds = "\"minimum\": 0, \"maximum\": 9"

    static let texts: [Refusal] = [
        Refusal(
            .text, "{\"knid\": 1}",
            "10: Row.value: the key \"knid\" is unknown; the keys are kind, oneOf, code, uniform, normal, logNormal, "
                + "dates, times, markup, "
                + "chance, reference, pattern, bytes, later, earlier, nulls, unique, dependsOn"),
        Refusal(
            .text, "{\"kind\": \"name\"}",
            "10: Row.value: \"kind\" must be one of givenName, familyName, fullName, "
                + "colorName, itemName, uuid, hexColor, email, userName, street, city, country, countryCode, company, words, title, sentence"
        ),
        Refusal(.text, "{\"kind\": 1}", "10: Row.value: \"kind\" must be a text"),
        Refusal(.text, "{\"kind\": \"uuid\"}", "10: Row.value: \"kind\": \"uuid\" cannot generate a text"),
        Refusal(
            .text, "{\"kind\": \"givenName\", \"oneOf\": [\"a\"]}",
            "32: Row.value: \"kind\" and \"oneOf\" cannot be combined"),
        Refusal(.text, "{\"oneOf\": []}", "11: Row.value: \"oneOf\" must be \(oneOf)"),
        Refusal(.text, "{\"oneOf\": {}}", "11: Row.value: \"oneOf\" must be \(oneOf)"),
        Refusal(.text, "{\"oneOf\": \"a\"}", "11: Row.value: \"oneOf\" must be \(oneOf)"),
        Refusal(.text, "{\"oneOf\": [1]}", "11: Row.value: \"oneOf\" must be \(oneOf)"),
        Refusal(.text, "{\"oneOf\": {\"a\": 0}}", "11: Row.value: \"oneOf\" must be \(oneOf)"),
        Refusal(.text, "{\"oneOf\": {\"a\": 1000001}}", "11: Row.value: \"oneOf\" must be \(oneOf)"),
        Refusal(.text, "{\"oneOf\": {\"a\": 1.5}}", "11: Row.value: \"oneOf\" must be \(oneOf)"),
        Refusal(.text, "{\"code\": {}}", "10: Row.value: \"code\" requires \"digits\""),
        Refusal(
            .text, "{\"code\": {\"digits\": 0}}", "21: Row.value: \"digits\" must be a whole number from 1 to 18"),
        Refusal(
            .text, "{\"code\": {\"digits\": 19}}", "21: Row.value: \"digits\" must be a whole number from 1 to 18"),
        Refusal(
            .text, "{\"code\": {\"digits\": 99999999999999999999}}",
            "21: Row.value: \"digits\" must be a whole number from 1 to 18"),
        Refusal(.text, "{\"code\": {\"digits\": 3, \"prefix\": 1}}", "34: Row.value: \"prefix\" must be a text"),
        Refusal(
            .text, "{\"code\": {\"digit\": 3}}",
            "20: Row.value: the key \"digit\" is unknown; the keys are prefix, "
                + "digits"),
        Refusal(.text, "{\"code\": 3}", "10: Row.value: an object is expected, not a number"),
        Refusal(.text, "{\"nulls\": 0.5}", "11: Row.value: the attribute is mandatory in the model"),
        Refusal(.text, "{\"unique\": 1}", "12: Row.value: \"unique\" must be true or false"),
        Refusal(
            .boolean, "{\"chance\": 2}",
            "12: Row.value: \"chance\" must be a number from 0 to 1 with at most six digits after the point"),
        Refusal(.boolean, "{\"chance\": null}", "12: Row.value: \"chance\" must be a number"),
    ]

    static let oneOf = "a list of texts, or an object of texts and their weights, whole numbers from 1 to 1000000"

    static let numbers: [Refusal] = [
        Refusal(.integer, "{\"uniform\": {}}", "13: Row.value: \"uniform\" requires \"minimum\""),
        Refusal(.integer, "{\"uniform\": {\"minimum\": 1}}", "13: Row.value: \"uniform\" requires \"maximum\""),
        Refusal(
            .integer, "{\"uniform\": {\"minimum\": 2, \"maximum\": 1}}",
            "13: Row.value: the minimum 2 is more than the maximum 1"),
        Refusal(.integer, "{\"uniform\": {\"minimum\": \"0\"}}", "25: Row.value: \"minimum\" must be a number"),
        Refusal(.integer, "{\"uniform\": {\(bounds), \"step\": []}}", "50: Row.value: \"step\" must be a number"),
        Refusal(
            .integer, "{\"uniform\": {\(bounds), \"mean\": 1}}",
            "50: Row.value: the key \"mean\" is unknown; the keys are minimum, maximum, step"),
        Refusal(.integer, "{\"normal\": {\(bounds)}}", "12: Row.value: \"normal\" requires \"mean\""),
        Refusal(.integer, "{\"normal\": {\(bounds), \"mean\": 1}}", "12: Row.value: \"normal\" requires \"deviation\""),
        Refusal(.integer, "{\"logNormal\": {\(bounds)}}", "15: Row.value: \"logNormal\" requires \"median\""),
        Refusal(
            .integer, "{\"logNormal\": {\(bounds), \"median\": 1}}", "15: Row.value: \"logNormal\" requires \"sigma\""),
        Refusal(
            .text, "{\"uniform\": {\(bounds)}}", "13: Row.value: \"uniform\" cannot generate a text"),
        Refusal(.integer, "{\"markup\": {}}", "12: Row.value: \"markup\" requires \"over\""),
        Refusal(.integer, "{\"markup\": {\"over\": \"x\"}}", "12: Row.value: \"markup\" requires \"percent\""),
        Refusal(
            .integer, "{\"markup\": {\"over\": \"x\", \"percent\": [2, 1]}}",
            "37: Row.value: \"percent\" must be two whole numbers from 0 to 100000, the smaller one first"),
        Refusal(
            .integer, "{\"markup\": {\"over\": \"x\", \"percent\": [1]}}",
            "37: Row.value: \"percent\" must be two whole numbers from 0 to 100000, the smaller one first"),
        Refusal(
            .integer, "{\"markup\": {\"over\": \"x\", \"percent\": [-1, 1]}}",
            "37: Row.value: \"percent\" must be two whole numbers from 0 to 100000, the smaller one first"),
    ]

    static let others: [Refusal] = [
        Refusal(.date, "{\"dates\": {}}", "11: Row.value: \"dates\" requires \"from\""),
        Refusal(
            .date, "{\"dates\": {\"from\": \"yesterday\"}}",
            "20: Row.value: \"from\" must be a date such as 2025-01-31, or an instant such as 2025-01-31T12:00:00Z"),
        Refusal(
            .date, "{\"dates\": {\"from\": \"2020-01-01\", \"weekdays\": [1, 2]}}",
            "46: Row.value: \"weekdays\" must be seven whole numbers from 0 to 1000000, the weights of the days from "
                + "Monday on"
        ),
        Refusal(
            .date, "{\"dates\": {\"from\": \"2020-01-01\", \"precision\": \"week\"}}",
            "47: Row.value: \"precision\" must be one of day, hour, minute, second"),
        Refusal(.reference(to: "Row"), "{\"nulls\": 0.5}", "11: Row.value: the attribute is mandatory in the model"),
        Refusal(
            .reference(to: "Row"), "{\"reference\": {\"without\": -1}}",
            "27: Row.value: \"without\" must be a number from 0 to 1 with at most six digits after the point"),
        Refusal(
            .reference(to: "Row"), "{\"reference\": {\"perTarget\": [0, 1000000001]}}",
            "29: Row.value: \"perTarget\" must be two whole numbers from 0 to 1000000000, the smaller one first"),
        Refusal(
            .reference(to: "Row"), "{\"reference\": {\"perTarget\": 3}}",
            "29: Row.value: \"perTarget\" must be two whole numbers from 0 to 1000000000, the smaller one first"),
    ]

    /// Returns a generator for a type that differs from all tested generators.
    static func usual(_ type: FixtureField.ValueType) -> FixtureGenerator {
        switch type {
        case .boolean: .chance(.none)
        case .reference: .reference(without: .none, perTarget: nil)
        default: .kind(.colorName)
        }
    }

    @Test(
        "an invalid generator parameter is rejected with its location and the reason",
        arguments: texts + numbers + others)
    func refuse(_ refusal: Refusal) {
        let schema = [Samples.entity(FixtureField("value", type: refusal.type, generator: Self.usual(refusal.type)))]
        let json = "{\"entities\": {\"Row\": {\"attributes\": {\"value\":\n\(refusal.json)}}}}"
        let message = Samples.message {
            _ = try FixtureDescription(json: Array(json.utf8), source: "it.json", schema: schema)
        }
        #expect(message == "it.json:2:" + refusal.message)
    }

    @Test("two descriptions that differ only in the order of members are equal")
    func order() throws {
        let one =
            "{\"entities\": {\"Boss\": {\"count\": 3}, \"Color\": {\"count\": 2}}, \"seed\": 18446744073709551615}"
        let other =
            "{\"seed\": 18446744073709551615, \"entities\": {\"Color\": {\"count\": 2}, \"Boss\": {\"count\": 3}}}"
        let first = try FixtureDescription(json: Array(one.utf8), source: "")
        #expect(try FixtureDescription(json: Array(other.utf8), source: "") == first)
        #expect(first.seed == .max)
        #expect(first.entities.keys.sorted() == ["Boss", "Color"])
    }
}
