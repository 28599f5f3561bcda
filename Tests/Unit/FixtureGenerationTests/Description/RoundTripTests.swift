import Foundation
import StrataReferenceFixtures
import Testing

@testable import StrataFixtures

@Suite("Round trips of descriptions")
struct RoundTripTests {
    static func again(_ description: FixtureDescription, schema: [FixtureEntity]? = nil) throws -> FixtureDescription {
        try FixtureDescription(
            json: Array(description.json.utf8), source: "it.json",
            schema: schema ?? ReferenceEntities.all(version: 1))
    }

    @Test("the default description is written and read unchanged", arguments: [0, 42, UInt64.max])
    func usual(_ seed: UInt64) throws {
        let description = try FixtureDescription(seed: seed)
        #expect(try Self.again(description) == description)
        #expect(try Self.again(description).json == description.json)
    }

    @Test("a description with many non-default values is written and read unchanged")
    func everything() throws {
        var description = try FixtureDescription(seed: .max)
        description.referenceDate = try #require(FixtureInstant("1999-12-31T23:59:59Z"))
        description.hostile = try #require(FixtureShare(Decimal(123_456) / 1_000_000))
        description.locales = ["is": 1_000_000, "en": 0, "zh": 3]
        description.entities["Boss"] = nil
        description.entities["Color"]?.count = 0
        description.entities["Color"]?.attributes["name"]?.nulls = .none
        description.entities["Color"]?.attributes["name"]?.generator = .oneOf([
            .init("\"quoted\"\\\n\r\t\u{1}\u{7F}", weight: 3), .init("caf\u{E9}"), .init("cafe\u{301}"), .init(""),
        ])
        description.entities["Employee"]?.attributes["salary"]?.generator = .logNormal(
            median: 40_000, sigma: Decimal(1) / 8, .init(18_000...99_000))
        description.entities["Employee"]?.attributes["dateHired"]?.generator = .dates(
            from: FixtureInstant.range.lowerBound, to: FixtureInstant.range.upperBound, weekdays: nil,
            precision: .second)
        description.entities["Employee"]?.attributes["boss"]?.generator = .reference(
            without: .percent(100), perTarget: 0...0)
        description.entities["Employee"]?.fixed = [["firstName": "Zoë", "salary": 18_000, "boss": .null], [:]]
        description.entities["Item"]?.attributes["name"]?.isUnique = true
        let price = Decimal(19_999) / 1_000
        description.entities["Item"]?.fixed = [
            [
                "itemId": .uuid(UUID()), "unitPrice": .decimal(price),
                "dateCreated": .date(Date(timeIntervalSinceReferenceDate: -1)),
            ]
        ]
        description.entities["Item"]?.fixed[0]["unitPrice"] = .decimal(Decimal(1_999) / 100)
        #expect(try Self.again(description) == description)
    }

    /// Fields with a default for each parameter, which the description removes.
    static let schema = [
        FixtureEntity(
            "Row",
            [
                FixtureField(
                    "uniform", type: .integer, generator: .uniform(0...100, step: 5), nulls: .percent(1), isUnique: true
                ),
                FixtureField(
                    "normal", type: .decimal(scale: 3),
                    generator: .normal(mean: 1, deviation: Decimal(1) / 4, .init(0...2, step: Decimal(1) / 8))),
                FixtureField(
                    "logNormal", type: .integer, generator: .logNormal(median: 5, sigma: 1, .init(0...100, step: 2))),
                FixtureField(
                    "dates", type: .date,
                    generator: .dates(
                        from: CivilDay.beginning(2_000), to: CivilDay.beginning(2_001),
                        weekdays: [1, 2, 3, 4, 5, 6, 7],
                        precision: .day)),
                FixtureField("code", type: .text, generator: .code(prefix: "X", digits: 5)),
                FixtureField("truth", type: .boolean, generator: .chance(.percent(30)), nulls: .percent(5)),
                FixtureField("color", type: .color, generator: .kind(.hexColor)),
                FixtureField(
                    "markup", type: .integer, generator: .markup(over: "uniform", percent: 1...5), isOptional: true),
                .reference("row", to: "Row", without: .percent(5), perTarget: 0...3),
            ])
    ]

    @Test("a description without the default parameters of its fields is written and read unchanged")
    func takenBack() throws {
        var description = try FixtureDescription(schema: Self.schema)
        #expect(try Self.again(description, schema: Self.schema) == description)
        let from = CivilDay.beginning(2_000)
        let changes: [String: FixtureGenerator] = [
            "uniform": .uniform(0...100), "normal": .normal(mean: 1, deviation: 0, .init(0...2)),
            "logNormal": .logNormal(median: 5, sigma: 1, .init(0...100)),
            "dates": .dates(from: from, to: nil, weekdays: nil, precision: .day), "code": .code(prefix: "", digits: 18),
            "truth": .chance(.none), "row": .reference(without: .none, perTarget: nil),
            "markup": .uniform(1...2),
        ]
        for (name, generator) in changes {
            description.entities["Row"]?.attributes[name]?.generator = generator
            description.entities["Row"]?.attributes[name]?.nulls = .none
            description.entities["Row"]?.attributes[name]?.isUnique = false
        }
        #expect(try Self.again(description, schema: Self.schema) == description)
    }

    @Test("fixed rows of all types are written and read unchanged")
    func fixed() throws {
        var description = try FixtureDescription(schema: Self.schema)
        description.entities["Row"]?.fixed = [
            [
                "uniform": .integer(.min), "normal": .decimal(Decimal(-1) / 8),
                "dates": .date(CivilDay.beginning(0).date),
                "code": .text("\u{2028}\u{FEFF}\"\\/\u{10FFFF}"), "truth": true, "color": "#abc", "markup": .null,
                "row": 1,
            ],
            ["uniform": .integer(.max), "row": .null], [:],
        ]
        #expect(try Self.again(description, schema: Self.schema) == description)
    }

    @Test(
        "a description with any kind of text generator is written and read unchanged",
        arguments: FixtureGenerator.Kind.allCases)
    func kinds(_ kind: FixtureGenerator.Kind) throws {
        let type: FixtureField.ValueType =
            switch kind {
            case .uuid: .uuid
            case .hexColor: .color
            default: .text
            }
        let schema = [Samples.entity(FixtureField("value", type: type, generator: .kind(kind)))]
        let description = try FixtureDescription(schema: schema)
        #expect(try Self.again(description, schema: schema) == description)
    }

    @Test("a description that was written and read generates the same rows")
    func rows() throws {
        var description = try FixtureDescription(seed: 9)
        description.hostile = .percent(10)
        let (first, second) = (try Fixtures(description), try Fixtures(try Self.again(description)))
        for entity in ["Color", "Boss", "Employee", "Item"] {
            #expect(try StabilityTests.rows(first, entity, 20) == StabilityTests.rows(second, entity, 20))
        }
    }
}
