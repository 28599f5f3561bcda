import Foundation
import StrataReferenceFixtures
import Testing

@testable import StrataFixtures

@Suite("Rejected descriptions")
struct DescriptionRefusalTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let json: String
        let message: String
        var testDescription: String { json }

        init(_ json: String, _ message: String) {
            self.json = json
            self.message = message
        }
    }

    static let document: [Refusal] = [
        Refusal("[]", "1:1: an object is expected, not a list"),
        Refusal("null", "1:1: an object is expected, not null"),
        Refusal(
            "{\"sed\": 1}",
            "1:9: the key \"sed\" is unknown; the keys are datasetVersion, seed, referenceDate, locales, hostile, "
                + "entities"),
        Refusal("{\n  \"seed\": -1}", "2:11: \"seed\" must be a whole number from 0 to 18446744073709551615"),
        Refusal(
            "{\"seed\": 18446744073709551616}",
            "1:10: \"seed\" must be a whole number from 0 to 18446744073709551615"),
        Refusal("{\"seed\": 1.0}", "1:10: \"seed\" must be a whole number from 0 to 18446744073709551615"),
        Refusal("{\"seed\": \"1\"}", "1:10: \"seed\" must be a whole number from 0 to 18446744073709551615"),
        Refusal("{\"seed\": null}", "1:10: \"seed\" must be a whole number from 0 to 18446744073709551615"),
        Refusal(
            "{\"datasetVersion\": 2}",
            "1:20: dataset version 2 does not exist; this program supports versions up to 1"),
        Refusal(
            "{\"datasetVersion\": 0}", "1:20: \"datasetVersion\" must be a whole number from 1 to 9223372036854775807"
        ),
        Refusal(
            "{\"referenceDate\": \"2025-02-30\"}",
            "1:19: \"referenceDate\" must be a date such as 2025-01-31, or an instant such as 2025-01-31T12:00:00Z"),
        Refusal("{\"referenceDate\": 0}", "1:19: \"referenceDate\" must be a text"),
        Refusal(
            "{\"hostile\": 1.5}",
            "1:13: \"hostile\" must be a number from 0 to 1 with at most six digits after the point"),
        Refusal(
            "{\"hostile\": 0.0000001}",
            "1:13: \"hostile\" must be a number from 0 to 1 with at most six digits after the point"),
        Refusal("{\"hostile\": true}", "1:13: \"hostile\" must be a number"),
        Refusal("{\"hostile\": 1e-400}", "1:13: \"hostile\" must be a number of at most 38 digits, not 1e-400"),
        Refusal("{\"locales\": []}", "1:13: an object is expected, not a list"),
        Refusal("{\"locales\": {}}", "1:13: \"locales\" must contain a locale with a weight above 0"),
        Refusal("{\"locales\": {\"de\": 0}}", "1:13: \"locales\" must contain a locale with a weight above 0"),
        Refusal("{\"locales\": {\"de\": -1}}", "1:20: \"de\" must be a whole number from 0 to 1000000"),
        Refusal(
            "{\"locales\": {\"xx\": 1}}",
            "1:20: the key \"xx\" is unknown; the keys are en, de, fr, es, it, nl, pl, pt, sv, tr, cs, el, ru, ar, hi, "
                + "ja, zh, "
                + "ko, vi, is"),
        Refusal("{\"entities\": 1}", "1:14: an object is expected, not a number"),
        Refusal(
            "{\"entities\": {\"color\": {}}}",
            "1:24: the key \"color\" is unknown; the keys are Color, Boss, Employee, Item"),
        Refusal("{\"entities\": {\"Boss\": true}}", "1:23: Boss: an object is expected, not a truth value"),
        Refusal(
            "{\"entities\": {\"Boss\": {\"cuont\": 1}}}",
            "1:33: Boss: the key \"cuont\" is unknown; the keys are count, attributes, fixed"),
        Refusal(
            "{\"entities\": {\"Boss\": {\"count\": 1000000001}}}",
            "1:33: Boss: \"count\" must be a whole number from 0 to 1000000000"),
        Refusal(
            "{\"entities\": {\"Boss\": {\"count\": 1e3}}}",
            "1:33: Boss: \"count\" must be a whole number from 0 to 1000000000"),
        Refusal(
            "{\"entities\": {\"Boss\": {\"attributes\": {\"name\": {}}}}}",
            "1:47: Boss: the key \"name\" is unknown; the keys are firstName, lastName"),
        Refusal("{\"entities\": {\"Boss\": {\"fixed\": {}}}}", "1:33: Boss: \"fixed\" must be a list of rows"),
        Refusal("{\"entities\": {\"Boss\": {\"fixed\": [1]}}}", "1:34: Boss: an object is expected, not a number"),
        Refusal(
            "{\"entities\": {\"Boss\": {\"fixed\": [{\"id\": 1}]}}}",
            "1:41: Boss: the key \"id\" is unknown; the keys are firstName, lastName"),
    ]

    @Test("invalid members of a description are rejected with their location", arguments: document)
    func refuseDocument(_ refusal: Refusal) {
        let message = Samples.message {
            _ = try FixtureDescription(json: Array(refusal.json.utf8), source: "it.json")
        }
        #expect(message == "it.json:" + refusal.message)
    }

    /// A value of a fixed row of a type, and the reason for its rejection.
    struct Fixed: Sendable, CustomTestStringConvertible {
        let type: FixtureField.ValueType
        let generator: FixtureGenerator
        let json: String
        let message: String
        var testDescription: String { "\(type) \(json)" }
    }

    static let dates = FixtureGenerator.dates(from: CivilDay.beginning(2_000), to: nil, weekdays: nil, precision: .day)

    static let fixed: [Fixed] = [
        Fixed(type: .text, generator: .kind(.givenName), json: "1", message: "the value must be a text"),
        Fixed(
            type: .text, generator: .kind(.givenName), json: "\"\\u0000\"", message: "a text must not contain U+0000"),
        Fixed(type: .integer, generator: .uniform(0...9), json: "1.5", message: "the value must be a whole number"),
        Fixed(
            type: .integer, generator: .uniform(0...9), json: "9223372036854775808",
            message: "the value must be a whole number"
        ),
        Fixed(
            type: .integer, generator: .uniform(0...9), json: "-1",
            message: "the value is less than 0, the minimum that the model allows"),
        Fixed(
            type: .decimal(scale: 2), generator: .uniform(0...9), json: "1.005",
            message: "1.005 is not a decimal of at most 2 digits after the point"),
        Fixed(
            type: .decimal(scale: 2), generator: .uniform(0...9), json: "92233720368547758.08",
            message: "92233720368547758.08 is not a decimal of at most 2 digits after the point"),
        Fixed(
            type: .decimal(scale: 2), generator: .uniform(0...9), json: "1e999",
            message: "the value must be a decimal of at most 2 digits after the point"),
        Fixed(type: .boolean, generator: .chance(.none), json: "1", message: "the value must be a truth value"),
        Fixed(type: .date, generator: dates, json: "\"2001-02-29\"", message: "the value must be a date"),
        Fixed(type: .uuid, generator: .kind(.uuid), json: "\"123\"", message: "the value must be a UUID"),
        Fixed(
            type: .color, generator: .kind(.hexColor), json: "\"red\"",
            message: "\"red\" is not a color; use #RGB or #RRGGBB"),
        Fixed(
            type: .reference(to: "Row"), generator: .reference(without: .none, perTarget: nil), json: "0",
            message: "0 is not an identifier; identifiers begin with 1"),
        Fixed(type: .text, generator: .kind(.givenName), json: "null", message: "the value must be a text"),
    ]

    @Test("invalid values of fixed rows are rejected with the reason", arguments: fixed)
    func refuseFixed(_ one: Fixed) {
        let schema = [Samples.entity(FixtureField("value", type: one.type, generator: one.generator, least: 0))]
        let json = "{\"entities\": {\"Row\": {\"fixed\": [{}, {\"value\": \(one.json)}]}}}"
        let message = Samples.message {
            _ = try FixtureDescription(json: Array(json.utf8), source: "it.json", schema: schema)
        }
        #expect(message == "it.json:1:47: Row.value: \(one.message)")
    }

    @Test("the dependsOn member of an attribute must list exactly the counts on which its values depend")
    func dependsOn() {
        func message(_ attribute: String, _ json: String) -> String {
            Samples.message {
                let text = "{\"entities\": {\"Employee\": {\"attributes\": {\"\(attribute)\": \(json)}}}}"
                _ = try FixtureDescription(json: Array(text.utf8), source: "it.json")
            }
        }
        #expect(message("boss", "{\"dependsOn\": [\"Boss.count\"]}") == "nothing")
        #expect(message("salary", "{\"dependsOn\": []}") == "nothing")
        let both = "{\"reference\": {\"perTarget\": [0, 90]}, \"dependsOn\": [\"Boss.count\", \"Employee.count\"]}"
        #expect(message("boss", both) == "nothing")
        let missing =
            "\"dependsOn\" must be [\"Boss.count\"], which is what the values depend on besides seed, version and index"
        for json in ["[]", "[\"Employee.count\"]", "\"Boss.count\"", "null", "[1]"] {
            #expect(message("boss", "{\"dependsOn\": \(json)}") == "it.json:1:65: Employee.boss: \(missing)")
        }
        #expect(
            message("salary", "{\"dependsOn\": [\"Boss.count\"]}")
                == "it.json:1:67: Employee.salary: \"dependsOn\" must be omitted: the values depend only on the seed, "
                + "version and index")
    }

    @Test("an error in the preparation of rows contains the location of its attribute or entity")
    func laterPlaces() throws {
        func message(_ json: String) throws -> String {
            let description = try FixtureDescription(json: Array(json.utf8), source: "test")
            return Samples.message { _ = try Fixtures(description) }
        }
        let salary = try message(
            """
            {"entities": {
              "Employee": {
                "attributes": {
                  "salary": { "logNormal": { "median": 5, "sigma": 0 } }
            }}}}
            """)
        #expect(salary.hasPrefix("line 4:17: Employee.salary: the curve has no values from 18000 to 400000"))
        let fixed = try message(
            """
            {"entities": {
              "Boss": { "count": 0, "fixed": [{}] }
            }}
            """)
        #expect(fixed == "line 2:11: Boss: 1 fixed rows do not fit into a count of 0")
    }
}
