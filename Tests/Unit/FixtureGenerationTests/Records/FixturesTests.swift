import Foundation
import StrataDomain
import StrataReferenceFixtures
import Testing

@testable import StrataFixtures

@Suite("Records of the reference model")
struct FixturesTests {
    @Test("the requested count of records is returned from the requested row on")
    func counts() throws {
        let fixtures = try Fixtures(seed: 42, counts: ["Color": 7, "Employee": 0])
        #expect(try fixtures.colors().map(\.id.rawValue) == [1, 2, 3, 4, 5, 6, 7])
        #expect(try fixtures.colors(count: 2, from: 5) == Array(fixtures.colors().dropFirst(5)))
        #expect(try fixtures.colors(from: 5).count == 2)
        #expect(try fixtures.colors(from: 8) == [])
        #expect(try fixtures.colors(count: 0) == [])
        #expect(try fixtures.colors(count: 9).count == 9)
        #expect(try fixtures.employees() == [])
        #expect(try fixtures.employees(count: 3).count == 3)
        #expect(try fixtures.bosses().count == 20)
        #expect(try fixtures.items(count: 1, from: 999_999_999)[0].id.rawValue == 1_000_000_000)
        #expect(fixtures.count(of: "Color") == 7)
        #expect(fixtures.count(of: "Colour") == 0)
    }

    @Test("a single record is generated at an index and can be changed")
    func one() throws {
        let fixtures = try Fixtures(seed: 42)
        #expect(try fixtures.boss(at: 7) { $0.lastName = "Ito" }.lastName == "Ito")
        #expect(try fixtures.boss(at: 7).firstName == fixtures.bosses()[7].firstName)
        #expect(try fixtures.color() == fixtures.colors(count: 1)[0])
        #expect(try fixtures.employee(at: 3) == fixtures.employees(count: 1, from: 3)[0])
        #expect(try fixtures.item(at: 3) == fixtures.items(count: 1, from: 3)[0])
        #expect(throws: CancellationError.self) {
            try fixtures.item { (_: inout Item) in throw CancellationError() }
        }
    }

    @Test("records have the same values as their rows")
    func rows() throws {
        let fixtures = try Fixtures(seed: 1)
        for index in 0..<50 {
            let color = try fixtures.color(at: index)
            let row = try fixtures.row(of: "Color", at: index).values
            #expect(row["hex"] == .text(color.hex.rawValue))
            #expect(row["name"] == color.name.map { .text($0) } ?? .null)
            #expect(row["dateCreated"] == .date(color.dateCreated))
            let employee = try fixtures.employee(at: index)
            let person = try fixtures.row(of: "Employee", at: index).values
            #expect(person["salary"] == .integer(Int64(employee.salary)))
            #expect(person["boss"] == employee.boss.map { .integer($0.rawValue) } ?? .null)
            let item = try fixtures.item(at: index)
            let article = try fixtures.row(of: "Item", at: index).values
            #expect(article["itemId"] == .uuid(item.itemId))
            #expect(article["unitPrice"] == .decimal(item.unitPrice))
            #expect(item.unitPrice > item.unitCost)
        }
    }

    struct Ask: Sendable {
        let count: Int?
        let first: Int
    }

    static let asks: [Ask] = [
        Ask(count: -1, first: 0), Ask(count: .min, first: 0), Ask(count: .max, first: 0), Ask(count: 1, first: -1),
        Ask(count: 1, first: .min), Ask(count: 1, first: .max), Ask(count: .max, first: .max),
        Ask(count: nil, first: .min),
        Ask(count: nil, first: .max), Ask(count: nil, first: -1), Ask(count: 1, first: 1_000_000_000),
    ]

    @Test("an impossible count or start of records is rejected", arguments: asks)
    func outOfRange(_ ask: Ask) throws {
        let fixtures = try Fixtures(seed: 42)
        let error = #expect(throws: FixtureError.self) { _ = try fixtures.colors(count: ask.count, from: ask.first) }
        #expect(error?.code == .outOfRange)
        #expect(error?.entity == "Color")
    }

    @Test(
        "an index outside the permitted row numbers is rejected with the permitted range",
        arguments: [-1, .min, .max, 1_000_000_000])
    func index(_ index: Int) throws {
        let fixtures = try Fixtures(seed: 42)
        let message = Samples.message { _ = try fixtures.item(at: index) }
        #expect(message == "Item: \(index) is not a row number from 0 to 999999999")
    }

    @Test("rows beyond the count are generated as long as values are available")
    func beyond() throws {
        let code = FixtureField("value", type: .text, generator: .code(prefix: "", digits: 1), isUnique: true)
        let unique = try Samples.fixtures(code, count: 3)
        #expect(try Set((0..<10).map { try unique.row(of: "Row", at: $0).values }).count == 10)
        let tenth = Samples.message { _ = try unique.row(of: "Row", at: 10) }
        #expect(tenth == "Row.value: row 10 requires one more value than the 10 possible values")
        let bounded = try Samples.company(bosses: 2, employees: 4, perTarget: 1...3)
        let fifth = Samples.message { _ = try bounded.row(of: "Employee", at: 4) }
        #expect(
            fifth == "Employee.boss: row 4 is beyond the 4 rows that \"perTarget\" distributes")
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout FixtureDescription) -> Void

        init(_ message: String, _ change: @escaping @Sendable (inout FixtureDescription) -> Void) {
            testDescription = message
            self.change = change
        }
    }

    static let refusals: [Refusal] = [
        Refusal("dataset version -1 does not exist; this program supports versions up to 1") { $0.datasetVersion = -1 },
        Refusal("dataset version 2 does not exist; this program supports versions up to 1") { $0.datasetVersion = 2 },
        Refusal("locales: at least one locale must have a weight above 0") { $0.locales = [:] },
        Refusal("locales: at least one locale must have a weight above 0") { $0.locales = ["de": 0] },
        Refusal(
            "locales: \"xx\" with the weight 1 is not valid; the locales are en, de, fr, es, it, nl, pl, pt, "
                + "sv, tr, cs, el, ru, ar, hi, ja, zh, ko, vi, is, with weights from 0 to 1000000"
        ) { $0.locales = ["xx": 1] },
        Refusal("Boss: -1 rows were requested, but the count must be from 0 to 1000000000") {
            $0.entities["Boss"]?.count = -1
        },
        Refusal("Boss: \(Int.max) rows were requested, but the count must be from 0 to 1000000000") {
            $0.entities["Boss"]?.count = .max
        },
        Refusal("Chief: the entity does not exist; the entities are Color, Boss, Employee, Item") {
            $0.entities["Chief"] = $0.entities["Boss"]
        },
        Refusal("Boss.dateCreated: the attribute does not exist; the attributes are firstName, lastName") {
            $0.entities["Boss"] = $0.entities["Color"]
        },
        Refusal("Boss.x: the attribute does not exist; the attributes are firstName, lastName") {
            $0.entities["Boss"]?.fixed = [["x": 1]]
        },
        Refusal("Boss.firstName: the attribute is mandatory in the model") {
            $0.entities["Boss"]?.attributes["firstName"]?.nulls = .percent(1)
        },
    ]

    @Test("an invalid description is rejected with the reason", arguments: refusals)
    func refuse(_ refusal: Refusal) throws {
        var description = try FixtureDescription()
        refusal.change(&description)
        let message = Samples.message { _ = try Fixtures(description) }
        #expect(message == refusal.testDescription)
    }

    @Test("repeated, reserved and unknown names are rejected with the reason")
    func names() {
        func message(_ entities: FixtureEntity...) -> String {
            Samples.message { _ = try Fixtures(try FixtureDescription(schema: entities)) }
        }
        let field = FixtureField("a", type: .boolean, generator: .chance(.none))
        #expect(message(.init("A", []), .init("A", [])) == "A: the entity is declared twice")
        #expect(message(.init("A", [field, field])) == "A.a: the field is declared twice")
        let id = FixtureField("id", type: .boolean, generator: .chance(.none))
        #expect(message(.init("A", [id])) == "A.id: the identifier is the row's number and not a field")
        let count = Samples.message { _ = try Fixtures(seed: 1, counts: ["Chief": 1]) }
        #expect(count == "Chief: the entity does not exist; the entities are Boss, Color, Employee, Item")
        let row = Samples.message { _ = try Fixtures(seed: 1).row(of: "Chief", at: 0) }
        #expect(row == "Chief: the description does not contain this entity")
    }
}
