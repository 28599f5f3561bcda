import Foundation
import StrataDomain
import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataPersistence
import StrataReferenceFixtures
import StrataRepositories
import StrataTestSupport
import StrataTesting
import Testing

struct Invoice: FixtureRecord {
    let number: String
    let total: Decimal
    static let fixtureEntity = FixtureEntity(
        "Invoice",
        [
            FixtureField("number", type: .text, generator: .code(prefix: "INV-", digits: 6), isUnique: true),
            FixtureField(
                "total", type: .decimal(scale: 2), generator: .logNormal(median: 80, sigma: 1, .init(1...5_000))),
        ])
    init(fixture row: FixtureRow) throws {
        number = try row["number"]
        total = try row["total"]
    }
}

@Suite("Examples of the documentation of fixtures")
struct ExampleTests {
    private let folder: Folder
    init() throws { folder = try Folder() }

    @Test("fixture values are generated without a store")
    func values() throws {
        let fixtures = try Fixtures(seed: 42)
        let three = try fixtures.employees(count: 3)
        let one = try fixtures.employee(at: 7) { $0.salary = 90_000 }
        let rich = try fixtures.employee(at: 7) { $0.salary = 1_000_000 }
        #expect(three.map(\.id) == [1, 2, 3])
        #expect(one.id == 8 && one.salary == 90_000 && rich.firstName == one.firstName)

        let invoices = try Fixtures(seed: 7, for: Invoice.self)
        let paid = try invoices.records(Invoice.self, count: 100)
        let known = try invoices.record(Invoice.self, with: ["number": "INV-000001"])
        #expect(Set(paid.map(\.number)).count == 100)
        #expect(known.number == "INV-000001" && known.total == paid[0].total)
    }

    @Test("fixture rows of any model are generated")
    func anyModel() throws {
        let model = try ManagedObjectModel([
            EntityDescription("Customer", [.attribute(AttributeDescription("email", .string, isUnique: true))]),
            EntityDescription("Order", [.relationship(RelationshipDescription("customer", to: "Customer", .toOne))]),
        ])
        let description = try FixtureDescription(model: model, counts: ["Customer": 1_000, "Order": 5_000], seed: 7)
        let rows = try Fixtures(description)
        #expect(rows.count(of: "Order") == 5_000)
    }

    @Test("a directory of fixtures is generated and passes the check")
    func directory() throws {
        let fixtures = "\(folder.path)/fixtures"
        let model = try ReferenceModel.model()
        let dataset = try FixtureDataset(FixtureDescription(model: model), model: model)
        try dataset.write(to: fixtures, options: ExportOptions(format: .csv))
        let schema = dataset.description.schema
        let findings = try FixtureCheck(directory: fixtures, model: model, schema: schema).run()
        #expect(findings == [])
    }

    @Test("a store of fixtures is generated once and copied for every test")
    func prepared() throws {
        let model = try ReferenceModel.model()
        let url = URL(fileURLWithPath: "\(folder.path)/fixtures.sqlite")
        let made = try PersistentContainer(model: model, .sqlite(at: url), mainQueue: .private)
        try FixtureDataset.reference().store(in: made)
        try made.close()

        let prepared = try PreparedStack(model: model, copyOf: url)
        let (first, second) = (try prepared.container(), try prepared.container())
        try first.backgroundContext.performAndWait { context in
            for employee in try context.fetch(FetchRequest<Employee>()) { context.delete(employee) }
            try context.save()
        }
        let counts = try [first, second].map { container in
            try container.backgroundContext.performAndWait { try $0.count(FetchRequest<Employee>()) }
        }
        #expect(counts == [0, 1_000])
    }

    @Test("a dataset is stored in a prepared stack without a file, and every test gets a copy")
    func preparing() throws {
        let model = try ReferenceModel.model()
        let dataset = try FixtureDataset.reference()
        let prepared = try PreparedStack(model: model, preparing: { try dataset.store(in: $0) })
        let names = try prepared.container().backgroundContext.performAndWait { context in
            try context.fetch(FetchRequest<Boss>()).map(\.record)
        }
        #expect(try names == Fixtures(seed: 42).bosses())
    }

    /// The comparison is line by line and ignores the names of files.
    @Test(
        "this test file contains every line of the Swift examples in the documentation",
        arguments: [
            "Modules/FixtureGeneration/StrataFixtures.docc/FixturesInCI.md",
            "Modules/FixtureGeneration/StrataFixtures.docc/StrataFixtures.md",
            "Modules/ReferenceFixtures/StrataReferenceFixtures.docc/StrataReferenceFixtures.md",
            "Modules/FixtureDatasets/StrataFixtureDatasets.docc/StrataFixtureDatasets.md",
        ])
    func documented(path: String) throws {
        let root = Checkout.root
        let here = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        let known = Set(here.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        let page = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        let blocks = page.split(separator: "```swift\n").dropFirst()
        #expect(!blocks.isEmpty)
        for line in blocks.flatMap({ $0.split(separator: "```")[0].split(separator: "\n") }) {
            let text = line.trimmingCharacters(in: .whitespaces).replacingOccurrences(
                of: "\"fixtures\"", with: "fixtures")
            #expect(known.contains(text), "\(text)")
        }
    }
}

extension ExampleTests {
    @Test(
        "every description of the documentation generates the stated rows",
        arguments: ["FixturesInCI.md", "Descriptions.md"])
    func descriptions(name: String) throws {
        let path = "Modules/FixtureGeneration/StrataFixtures.docc/" + name
        let root = Checkout.root
        let page = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        let blocks = page.split(separator: "```json\n").dropFirst().map { String($0.split(separator: "```")[0]) }
        #expect(!blocks.isEmpty)
        for block in blocks {
            let fixtures = try Fixtures(FixtureDescription(json: Array(block.utf8), source: path))
            let employees = try fixtures.employees()
            #expect(employees[0].fullName == "Ada Lovelace" && employees[0].boss == 1)
            for boss in try fixtures.bosses() { #expect((3...12).contains(employees.count { $0.boss == boss.id })) }
        }
    }
}

@Suite("Example fixtures of the repository")
struct OwnFixturesTests {
    private static let root = Checkout.root

    @Test("the example files of the repository equal the rows that their manifest and description generate")
    func guarded() throws {
        let directory = Self.root.appendingPathComponent("Fixtures/company").path
        let check = try FixtureCheck(
            directory: directory, model: try ReferenceModel.model(), schema: ReferenceEntities.all(version: 1))
        #expect(try check.run() == [])
        let path = directory + ".json"
        #expect(try check.manifest.description == FixtureDescription(json: ByteInput.contents(of: path), source: path))
    }
}
