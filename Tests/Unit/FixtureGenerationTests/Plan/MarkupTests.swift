import Foundation
import Testing

@testable import StrataFixtures

@Suite("Markups over another attribute")
struct MarkupTests {
    static func fixtures(
        base: FixtureGenerator, percent: ClosedRange<Int>, hostile: FixtureShare = .none, least: Decimal? = nil,
        fixed: [[String: FixtureValue]] = [], isOptional: Bool = false
    ) throws -> Fixtures {
        let schema = [
            FixtureEntity(
                "Row",
                [
                    FixtureField(
                        "price", type: .integer, generator: .markup(over: "cost", percent: percent), least: least),
                    FixtureField("cost", type: .integer, generator: base, isOptional: isOptional),
                ], count: 500)
        ]
        var description = try FixtureDescription(schema: schema)
        description.hostile = hostile
        description.entities["Row"]?.fixed = fixed
        return try Fixtures(description)
    }

    @Test(
        "a price with a markup is above the cost and within the given percentages",
        arguments: [0...0, 5...80, 100...100, 100_000...100_000] as [ClosedRange<Int>])
    func above(_ percent: ClosedRange<Int>) throws {
        let fixtures = try Self.fixtures(base: .uniform(-1_000...1_000), percent: percent)
        for index in 0..<500 {
            let row = try fixtures.row(of: "Row", at: index)
            let (cost, price): (Int, Int) = (try row["cost"], try row["price"])
            #expect(price > cost)
            #expect(price >= cost + abs(cost) * percent.lowerBound / 100 + 1)
            #expect(price <= cost + abs(cost) * percent.upperBound / 100 + 1)
        }
    }

    struct Edge: Sendable {
        let cost: Int64
        let percent: Int
        let price: Int64
    }

    static let edges: [Edge] = [
        Edge(cost: 0, percent: 50, price: 1), Edge(cost: 1, percent: 50, price: 2),
        Edge(cost: 199, percent: 1, price: 201), Edge(cost: 99, percent: 100, price: 199),
        Edge(cost: 100_000_000_000_000_000, percent: 100, price: 200_000_000_000_000_001),
        Edge(cost: 4_611_686_018_427_387_903, percent: 100, price: .max),
        Edge(cost: 4_611_686_018_427_387_902, percent: 100, price: .max - 2),
        Edge(cost: .max, percent: 0, price: .max), Edge(cost: .max, percent: 100_000, price: .max),
        Edge(cost: .min, percent: 0, price: .min + 1), Edge(cost: .min, percent: 100, price: 1),
        Edge(cost: .min, percent: 100_000, price: .max), Edge(cost: -10, percent: 50, price: -4),
    ]

    @Test("a price with a markup is exact, and is clamped at the greatest 64-bit number", arguments: edges)
    func edge(_ edge: Edge) throws {
        let fixtures = try Self.fixtures(
            base: .uniform(0...1), percent: edge.percent...edge.percent, fixed: [["cost": .integer(edge.cost)]])
        #expect(try fixtures.row(of: "Row", at: 0)["price"] == edge.price)
    }

    @Test("a price with a markup over hostile costs is never less than the minimum")
    func hostile() throws {
        let schema = [
            FixtureEntity(
                "Row",
                [
                    FixtureField("cost", type: .decimal(scale: 2), generator: .uniform(0...1), least: 0),
                    FixtureField(
                        "price", type: .decimal(scale: 2), generator: .markup(over: "cost", percent: 0...100_000),
                        least: 0),
                ], count: 2_000)
        ]
        var description = try FixtureDescription(schema: schema)
        description.hostile = .percent(50)
        let fixtures = try Fixtures(description)
        for index in 0..<2_000 { #expect(try fixtures.row(of: "Row", at: index)["price"] as Decimal >= 0) }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let field: FixtureField
        let message: String
        var testDescription: String { message }
    }

    static func markup(
        over: String, _ percent: ClosedRange<Int> = 1...2, _ type: FixtureField.ValueType = .integer,
        least: Decimal? = nil
    ) -> FixtureField {
        FixtureField("price", type: type, generator: .markup(over: over, percent: percent), least: least)
    }

    static let refusals: [Refusal] = [
        Refusal(
            field: markup(over: "costs"), message: "Row.price: \"over\" names \"costs\", but there is no such attribute"
        ),
        Refusal(
            field: markup(over: "price"),
            message: "Row.price: \"over\" names price, which is itself over another attribute"),
        Refusal(field: markup(over: "name"), message: "Row.price: \"over\" names name, which is a text"),
        Refusal(
            field: markup(over: "cost", 1...2, .decimal(scale: 2)),
            message: "Row.price: \"over\" names cost, which is a whole number"),
        Refusal(
            field: markup(over: "maybe"),
            message: "Row.price: \"over\" names maybe, which may be null, but this attribute is mandatory"),
        Refusal(field: markup(over: "cost", -1...2), message: "Row.price: \"percent\" must be from 0 to 100000"),
        Refusal(field: markup(over: "cost", 0...100_001), message: "Row.price: \"percent\" must be from 0 to 100000"),
        Refusal(
            field: markup(over: "cost", least: 0),
            message: "Row.price: \"over\" names cost, which may be less than 0, the minimum that the model allows here"),
    ]

    @Test("an invalid markup is rejected with the reason", arguments: refusals)
    func refuse(_ refusal: Refusal) {
        let fields = [
            FixtureField("cost", type: .integer, generator: .uniform(-5...5)),
            FixtureField("name", type: .text, generator: .kind(.givenName)),
            FixtureField("maybe", type: .integer, generator: .uniform(0...5), nulls: .percent(1)), refusal.field,
        ]
        let message = Samples.message {
            _ = try Fixtures(try FixtureDescription(schema: [FixtureEntity("Row", fields)]))
        }
        #expect(message == refusal.message)
    }

    @Test("a fixed row with a null cost and without a price is rejected")
    func nothing() throws {
        let message = Samples.message {
            _ = try Self.fixtures(base: .uniform(0...1), percent: 0...1, fixed: [["cost": .null]], isOptional: true)
        }
        #expect(
            message
                == "Row.price: a fixed row has no cost, from which this mandatory attribute is calculated; give both "
                + "values")
        let both = try Self.fixtures(
            base: .uniform(0...1), percent: 0...1, fixed: [["cost": .null, "price": 7]], isOptional: true)
        #expect(try both.row(of: "Row", at: 0)["price"] == 7)
    }
}
