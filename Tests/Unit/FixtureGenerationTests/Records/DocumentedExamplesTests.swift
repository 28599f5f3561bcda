import Foundation
import StrataDomain
import StrataFixtures
import StrataReferenceFixtures
import Testing

@Suite("Documented examples of generated records")
struct DocumentedExamplesTests {
    struct Invoice: FixtureRecord {
        let number: String
        let total: Decimal
        static let fixtureEntity = FixtureEntity(
            "Invoice",
            [
                FixtureField("number", type: .text, generator: .code(prefix: "INV-", digits: 6), isUnique: true),
                FixtureField("total", type: .decimal(scale: 2), generator: .uniform(1...500)),
            ])
        init(fixture row: FixtureRow) throws {
            number = try row["number"]
            total = try row["total"]
        }
    }

    @Test("records of a custom type have generated values")
    func record() throws {
        let invoices = try Fixtures(seed: 1, for: Invoice.self).records(Invoice.self, count: 3)
        #expect(Set(invoices.map(\.number)).count == 3)
        #expect(invoices.allSatisfy { $0.number.hasPrefix("INV-") && $0.number.utf8.count == 10 })
        #expect(invoices.allSatisfy { $0.total >= 1 && $0.total <= 500 })
    }

    @Test("a description with another count of rows generates this count")
    func description() throws {
        var description = try FixtureDescription(seed: 42)
        description.entities["Employee"]?.count = 10_000
        #expect(try Fixtures(description).count(of: "Employee") == 10_000)
    }

    @Test("a description with bounds, a median and a fixed row generates matching records")
    func file() throws {
        let json = """
            {
              "seed": 7,
              "entities": {
                "Boss": { "count": 20 },
                "Employee": {
                  "count": 150,
                  "attributes": {
                    "salary": { "logNormal": { "median": 48000 } },
                    "boss": { "reference": { "without": 0.04, "perTarget": [3, 12] } }
                  },
                  "fixed": [{ "firstName": "Ada", "lastName": "Lovelace", "boss": 1 }]
                }
              }
            }
            """
        let employees = try Fixtures(FixtureDescription(json: Array(json.utf8), source: "it.json")).employees()
        #expect(employees[0].firstName == "Ada" && employees[0].lastName == "Lovelace" && employees[0].boss == 1)
        #expect(employees.count { $0.boss == nil } == 6)
        for boss in 1...20 { #expect((3...12).contains(employees.count { $0.boss?.rawValue == Int64(boss) })) }
    }

    @Test("rows with hostile values can be read as records")
    func hostile() throws {
        var description = try FixtureDescription(seed: 42)
        description.hostile = .percent(100)
        let fixtures = try Fixtures(description)
        #expect(try fixtures.colors(count: 300).count == 300)
        #expect(try fixtures.bosses(count: 300).count == 300)
        #expect(try fixtures.employees(count: 300).count == 300)
        #expect(try fixtures.items(count: 300).count == 300)
    }
}
