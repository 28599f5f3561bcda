import Foundation
import Testing

@testable import StrataFixtures
@testable import StrataReferenceFixtures

@Suite("Stability of rows")
struct StabilityTests {
    static func rows(_ fixtures: Fixtures, _ entity: String, _ count: Int) throws -> [[String: FixtureValue]] {
        try (0..<count).map { try fixtures.row(of: entity, at: $0).values }
    }

    @Test(
        "rows do not depend on row counts, except for references to an entity with another count",
        arguments: ["Color", "Boss", "Employee", "Item"])
    func growth(_ entity: String) throws {
        let small = try Fixtures(seed: 7, counts: ["Color": 50, "Boss": 5, "Employee": 50, "Item": 50])
        let large = try Fixtures(
            seed: 7, counts: ["Color": 1_000_000, "Boss": 5, "Employee": 1_000_000_000, "Item": 0])
        let other = try Fixtures(seed: 7, counts: ["Boss": 6])
        let rows = try Self.rows(small, entity, 5)
        #expect(try Self.rows(large, entity, 5) == rows)
        // Another count of bosses changes only references to them.
        let strip: ([String: FixtureValue]) -> [String: FixtureValue] = { $0.filter { $0.key != "boss" } }
        #expect(try Self.rows(other, entity, 5).map(strip) == rows.map(strip))
    }

    @Test("a description reports the row counts on which a field depends")
    func dependencies() throws {
        var description = try FixtureDescription()
        let boss = try #require(ReferenceEntities.employee.field("boss"))
        #expect(description.dependencies(of: boss, in: "Employee") == ["Boss.count"])
        description.entities["Employee"]?.attributes["boss"]?.generator = .reference(without: .none, perTarget: 3...12)
        #expect(description.dependencies(of: boss, in: "Employee") == ["Boss.count", "Employee.count"])
        for entity in description.schema {
            for field in entity.fields where field.name != "boss" {
                #expect(description.dependencies(of: field, in: entity.name) == [])
            }
        }
    }

    @Test("unique values do not depend on the count of rows")
    func uniqueGrowth() throws {
        let field = FixtureField("value", type: .text, generator: .code(prefix: "", digits: 4), isUnique: true)
        let small = try Samples.values(try Samples.fixtures(field, count: 20))
        let large = try Samples.values(try Samples.fixtures(field, count: 10_000), count: 20)
        #expect(small == large)
    }

    @Test("values do not depend on other fields or on the order of fields and entities")
    func order() throws {
        let entities = ReferenceEntities.item
        let reversed = FixtureEntity("Item", entities.fields.reversed())
        let fewer = FixtureEntity("Item", entities.fields.filter { $0.name != "name" })
        let more = FixtureEntity(
            "Item", [FixtureField("added", type: .text, generator: .kind(.fullName), isUnique: true)] + entities.fields)
        let usual = try Self.rows(try Fixtures(try FixtureDescription(schema: [entities])), "Item", 50)
        for (schema, changed) in [
            ([reversed], ""), ([fewer], "name"), ([more], "added"), ([.init("A", []), entities], ""),
        ] {
            let rows = try Self.rows(try Fixtures(try FixtureDescription(schema: schema)), "Item", 50)
            #expect(rows.map { $0.filter { $0.key != changed } } == usual.map { $0.filter { $0.key != changed } })
        }
    }

    @Test("another seed, another entity name and another field name produce other values")
    func others() throws {
        func values(_ entity: String, _ field: String, _ seed: UInt64) throws -> [FixtureValue] {
            let made = FixtureField(field, type: .integer, generator: .uniform(1...1_000_000))
            let description = try FixtureDescription(seed: seed, schema: [FixtureEntity(entity, [made], count: 20)])
            return try Samples.values(try Fixtures(description), field, of: entity)
        }
        let columns = [
            try values("A", "x", 1), try values("A", "x", 2), try values("A", "y", 1), try values("B", "x", 1),
        ]
        #expect(Set(columns).count == 4)
        #expect(try values("A", "x", 1) == columns[0])
    }

    @Test("several threads generate the same rows in any order")
    func threads() async throws {
        let fixtures = try Fixtures(seed: 3)
        let serial = try Self.rows(fixtures, "Employee", 400)
        let rows = try await withThrowingTaskGroup(of: (Int, [String: FixtureValue]).self) { group in
            for index in (0..<400).reversed() {
                group.addTask { (index, try fixtures.row(of: "Employee", at: index).values) }
            }
            return try await group.reduce(into: [Int: [String: FixtureValue]]()) { $0[$1.0] = $1.1 }
        }
        #expect((0..<400).map { rows[$0] } == serial)
    }

    @Test("an error thrown by the closure ends the generation immediately")
    func ends() throws {
        let plan = try Fixtures(seed: 3).plan(of: "Color")
        var made = 0
        #expect(throws: CancellationError.self) {
            try plan.makeRows(0..<1_000_000_000) { (index, _) in
                made += 1
                if index == 2 { throw CancellationError() }
            }
        }
        #expect(made == 3)
    }
}
