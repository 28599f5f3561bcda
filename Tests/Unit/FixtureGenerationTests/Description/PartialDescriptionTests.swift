import Foundation
import StrataReferenceFixtures
import Testing

@testable import StrataFixtures

@Suite("Partial descriptions")
struct PartialDescriptionTests {
    static func read(_ json: String, schema: [FixtureEntity]? = nil) throws -> FixtureDescription {
        try FixtureDescription(
            json: Array(json.utf8), source: "it.json", schema: schema ?? ReferenceEntities.all(version: 1))
    }

    @Test(
        "an empty description has the default values",
        arguments: ["{}", "\u{FEFF}{}", " {\r\n} ", "{\"datasetVersion\": 1, \"seed\": 42}"])
    func empty(_ json: String) throws {
        #expect(try Self.read(json) == FixtureDescription())
    }

    @Test("a description contains exactly the listed entities, with defaults for their missing members")
    func entities() throws {
        let description = try Self.read("{\"entities\": {\"Item\": {}, \"Boss\": {\"count\": 3}}}")
        let usual = try FixtureDescription()
        #expect(description.entities.keys.sorted() == ["Boss", "Item"])
        #expect(description.entities["Item"] == usual.entities["Item"])
        #expect(description.entities["Boss"]?.count == 3)
        #expect(description.entities["Boss"]?.attributes == usual.entities["Boss"]?.attributes)
        #expect(try Self.read("{\"entities\": {}}").entities.isEmpty)
    }

    struct Merge: Sendable, CustomTestStringConvertible {
        let field: FixtureField
        let json: String
        let generator: FixtureGenerator
        var testDescription: String { json }

        init(_ field: FixtureField, _ json: String, _ generator: FixtureGenerator) {
            self.field = field
            self.json = json
            self.generator = generator
        }
    }

    static let from = CivilDay.beginning(2_000)
    static let to = CivilDay.beginning(2_001)
    static let week = [1, 2, 3, 4, 5, 6, 7]
    static let code = FixtureField("value", type: .text, generator: .code(prefix: "INV-", digits: 6))
    static let even = FixtureField("value", type: .integer, generator: .uniform(0...100, step: 5))
    static let bell = FixtureField(
        "value", type: .integer, generator: .normal(mean: 50, deviation: 9, .init(0...100, step: 5)))
    static let logarithm = FixtureField(
        "value", type: .integer, generator: .logNormal(median: 50, sigma: 1, .init(0...100, step: 5)))
    static let dates = FixtureField(
        "value", type: .date, generator: .dates(from: from, to: to, weekdays: week, precision: .day))
    static let reference = FixtureField.reference("value", to: "Row", without: .percent(5), perTarget: 0...9)

    static let merges: [Merge] = [
        Merge(code, "{}", code.generator),
        Merge(code, "{\"code\": {}}", code.generator),
        Merge(code, "{\"code\": {\"digits\": 3}}", .code(prefix: "INV-", digits: 3)),
        Merge(code, "{\"code\": {\"prefix\": \"\"}}", .code(prefix: "", digits: 6)),
        Merge(even, "{\"uniform\": {\"maximum\": 50}}", .uniform(0...50, step: 5)),
        Merge(even, "{\"uniform\": {\"step\": null}}", .uniform(0...100)),
        Merge(bell, "{\"normal\": {\"mean\": 1}}", .normal(mean: 1, deviation: 9, .init(0...100, step: 5))),
        Merge(bell, "{\"uniform\": {\"minimum\": 1, \"maximum\": 2}}", .uniform(1...2)),
        Merge(
            logarithm, "{\"logNormal\": {\"sigma\": 0.5, \"minimum\": 10}}",
            .logNormal(median: 50, sigma: Decimal(5) / 10, .init(10...100, step: 5))),
        Merge(dates, "{\"dates\": {}}", dates.generator),
        Merge(
            dates, "{\"dates\": {\"to\": null, \"weekdays\": null, \"precision\": \"second\"}}",
            .dates(from: from, to: nil, weekdays: nil, precision: .second)),
        Merge(
            dates, "{\"dates\": {\"from\": \"2000-06-01\"}}",
            .dates(
                from: UniquenessTests.instant("2000-06-01"), to: to, weekdays: week, precision: .day)),
        Merge(reference, "{\"reference\": {\"without\": 0}}", .reference(without: .none, perTarget: 0...9)),
        Merge(reference, "{\"reference\": {\"perTarget\": null}}", .reference(without: .percent(5), perTarget: nil)),
    ]

    @Test(
        "a missing parameter has the value of the default generator, and null removes the parameter", arguments: merges)
    func merge(_ merge: Merge) throws {
        let schema = [Samples.entity(merge.field)]
        let json = "{\"entities\": {\"Row\": {\"attributes\": {\"value\": \(merge.json)}}}}"
        let attribute = try Self.read(json, schema: schema).entities["Row"]?.attributes["value"]
        #expect(attribute?.generator == merge.generator)
    }

    @Test("the nulls and unique members default to those of the field and can be overridden")
    func flags() throws {
        let field = FixtureField(
            "value", type: .integer, generator: .uniform(0...1_000), nulls: .percent(10), isUnique: true)
        func attribute(_ json: String) throws -> AttributeFixtures? {
            let text = "{\"entities\": {\"Row\": {\"attributes\": {\"value\": \(json)}}}}"
            return try Self.read(text, schema: [Samples.entity(field)]).entities["Row"]?.attributes["value"]
        }
        #expect(try attribute("{}")?.nulls == .percent(10))
        #expect(try attribute("{}")?.isUnique == true)
        #expect(try attribute("{\"nulls\": 0, \"unique\": false}")?.nulls == FixtureShare.none)
        #expect(try attribute("{\"unique\": false}")?.isUnique == false)
    }

    @Test("given weights of locales replace the default weights")
    func locales() throws {
        #expect(try Self.read("{\"locales\": {\"is\": 3, \"de\": 0}}").locales == ["is": 3, "de": 0])
    }
}
