import Foundation
import Testing

@testable import StrataFixtures

@Suite("Hostile values")
struct HostileValueTests {
    static func fixtures(_ fields: [FixtureField], _ hostile: FixtureShare, count: Int) throws -> Fixtures {
        var description = try FixtureDescription(schema: [FixtureEntity("Row", fields, count: count)])
        description.hostile = hostile
        return try Fixtures(description)
    }

    @Test("the share of rows with a hostile value is about the requested share", arguments: [0, 20, 100])
    func share(_ percent: Int) throws {
        let field = FixtureField("value", type: .text, generator: .oneOf(["usual value"]))
        let values = try Samples.values(try Self.fixtures([field], .percent(percent), count: 1_000))
        let hostile = values.count { $0 != "usual value" }
        #expect(abs(hostile - 10 * percent) <= (percent % 100 == 0 ? 0 : 75))
    }

    @Test("6,000 hostile rows contain every hostile text, number and date")
    func all() throws {
        let fields = [
            FixtureField("text", type: .text, generator: .oneOf(["usual"])),
            FixtureField("number", type: .integer, generator: .uniform(0...0)),
            FixtureField(
                "date", type: .date,
                generator: .dates(from: CivilDay.beginning(2_020), to: nil, weekdays: nil, precision: .second)),
        ]
        let plan = try Self.fixtures(fields, .percent(100), count: 6_000).plan(of: "Row")
        var cells = [Set<FixtureCell>](repeating: [], count: 3)
        plan.makeRows(0..<6_000) { (_, row) in for place in 0..<3 { cells[place].insert(row.cells[place]) } }
        #expect(cells[0].count == HostileTexts.all.count)
        #expect(cells[1] == Set(HostileNumbers.integers.map { .integer($0) }))
        #expect(
            cells[2] == Set(HostileDates.seconds.map { .date(seconds: $0.seconds, nanoseconds: $0.nanoseconds) }))
    }

    @Test(
        "hostile numbers are never less than the model's minimum",
        arguments: [Decimal(0), Decimal(15) / 10, Decimal(-3)])
    func least(_ least: Decimal) throws {
        let fields = [
            FixtureField("whole", type: .integer, generator: .uniform(2...3), least: least),
            FixtureField("decimal", type: .decimal(scale: 2), generator: .uniform(2...3), least: least),
        ]
        let fixtures = try Self.fixtures(fields, .percent(100), count: 500)
        for index in 0..<500 {
            let row = try fixtures.row(of: "Row", at: index)
            #expect(try row["whole"] as Decimal >= least)
            #expect(try row["decimal"] as Decimal >= least)
        }
    }

    @Test("a minimum between two units is rounded up, and a minimum beyond 64 bits is clamped")
    func leastUnits() {
        func units(_ least: Decimal?, _ scale: Int) -> Int64 {
            FixtureField("value", type: .decimal(scale: scale), generator: .uniform(0...1), least: least).leastUnits(
                scale: scale)
        }
        #expect(units(nil, 2) == .min)
        #expect(units(Decimal(5) / 1_000, 2) == 1)
        #expect(units(Decimal(-5) / 1_000, 2) == 0)
        #expect(units(Decimal(-15) / 1_000, 2) == -1)
        #expect(units(3, 2) == 300)
        #expect(units(Decimal(sign: .plus, exponent: 30, significand: 1), 2) == .max)
        #expect(units(Decimal(sign: .minus, exponent: 30, significand: 1), 2) == .min)
    }

    @Test("unique values, Boolean values, UUIDs, colors and references are never hostile")
    func clean() throws {
        let fields = [
            FixtureField("code", type: .text, generator: .code(prefix: "C", digits: 3), isUnique: true),
            FixtureField("truth", type: .boolean, generator: .chance(.percent(50))),
            FixtureField("id2", type: .uuid, generator: .kind(.uuid)),
            FixtureField("hex", type: .color, generator: .kind(.hexColor)), .reference("row", to: "Row"),
        ]
        let usual = try Self.fixtures(fields, .none, count: 100)
        let hostile = try Self.fixtures(fields, .percent(100), count: 100)
        for index in 0..<100 {
            #expect(try hostile.row(of: "Row", at: index) == usual.row(of: "Row", at: index))
        }
    }

    @Test("a share of hostile values does not change the other values")
    func rest() throws {
        let field = FixtureField(
            "value", type: .integer, generator: .uniform(5_000_000...6_000_000), nulls: .percent(10))
        let usual = try Samples.values(try Self.fixtures([field], .none, count: 500))
        let mixed = try Samples.values(try Self.fixtures([field], .percent(20), count: 500))
        for (one, other) in zip(mixed, usual) {
            let isHostile = one.number.map { HostileNumbers.integers.contains($0) } ?? false
            #expect(one == other || isHostile)
        }
    }
}
