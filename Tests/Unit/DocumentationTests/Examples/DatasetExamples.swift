import Foundation
import StrataDomain
import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataPersistence
import StrataReferenceFixtures
import StrataReports
import StrataRepositories
import StrataStoreKit

// The examples of the documentation of fixtures, interchange and reports, line by line. Values that an example only
// names are parameters.

func checkedFixtures(_ model: ManagedObjectModel) throws {
    let schema = try FixtureEntity.all(of: model)
    let check = try FixtureCheck(directory: "fixtures", model: model, schema: schema)
    for finding in try check.run() { print(finding) }
}

func writtenFixtures(_ model: ManagedObjectModel) throws {
    let dataset = try FixtureDataset(FixtureDescription(model: model), model: model)
    try dataset.write(to: "fixtures", options: ExportOptions(format: .csv))
    let schema = dataset.description.schema
    let findings = try FixtureCheck(directory: "fixtures", model: model, schema: schema).run()
    _ = findings
}

func fixturesOfAnyModel(_ model: ManagedObjectModel) throws -> Fixtures {
    let description = try FixtureDescription(model: model, counts: ["Customer": 1_000, "Order": 5_000], seed: 7)
    let rows = try Fixtures(description)
    return rows
}

struct Invoice: FixtureRecord {
    let number: String

    static let fixtureEntity = FixtureEntity(
        "Invoice", [FixtureField("number", type: .text, generator: .code(prefix: "INV-", digits: 6), isUnique: true)])

    init(fixture row: FixtureRow) throws { number = try row["number"] }
}

func describedFixtures() throws -> Fixtures {
    var description = try FixtureDescription(seed: 42, schema: [Invoice.fixtureEntity])
    description.entities["Invoice"]?.count = 10_000
    let fixtures = try Fixtures(description)
    return fixtures
}

func fixtureRow(_ row: FixtureRow) throws -> (Int, String?) {
    let number: Int = try row["number"]
    let note: String? = try row["note"]
    return (number, note)
}

func recordFixtures() throws -> ([Invoice], Invoice) {
    let invoices = try Fixtures(seed: 42, for: Invoice.self)
    let three = try invoices.records(Invoice.self, count: 3)
    let eighth: Invoice = try invoices.record(at: 7)
    return (three, eighth)
}

func changedFixtures() throws -> ([Employee], Employee) {
    let fixtures = try Fixtures(seed: 42)
    let three = try fixtures.employees(count: 3)
    let one = try fixtures.employee(at: 7) { $0.salary = 90_000 }
    return (three, one)
}

func richFixtures() throws -> ([Employee], Employee) {
    let fixtures = try Fixtures(seed: 42)
    let three = try fixtures.employees(count: 3)
    let rich = try fixtures.employee(at: 7) { $0.salary = 1_000_000 }
    return (three, rich)
}

func atomicFile(_ bytes: [UInt8]) throws {
    let file = try AtomicFile(path: "colors.csv")
    try file.output.append(bytes)
    try file.commit()
}

func compressedFile(_ bytes: [UInt8]) throws {
    let file = try CompressedFile(path: "colors.csv.gz")
    try file.output.append(bytes)
    try file.commit()
}

func csvTexts() throws {
    var reader = try CSVReader(ByteInput(path: "colors.csv"))
    while try reader.next() {
        print(reader.text(ofField: 0))
    }
}

func jsonTexts() throws {
    var reader = try JSONRecordReader(ByteInput(path: "colors.json"), layout: JSONRecordLayout(root: "colors"))
    while try reader.next() {
        for member in 0..<reader.memberCount where reader.key(ofMember: member) == "hex" {
            print(reader.text(ofMember: member))
        }
    }
}

func exportedDirectory(_ store: any PersistentStore) throws {
    let exporter = try DirectoryExporter(store: store, options: ExportOptions(format: .csv))
    let manifest = try exporter.run(to: "backup")
    _ = manifest
}

func exportedDataset(_ container: PersistentContainer, _ output: some ByteOutput) throws {
    let exporter = DatasetExporter(store: container.coordinator.store, format: .csv)
    let count = try exporter.run(StoreRequest("Color"), to: output)
    _ = count
}

func importedDataset(_ container: PersistentContainer) throws {
    let importer = try DatasetImporter(entity: "Color", container: container, options: ImportOptions(format: .csv))
    let summary = try importer.run(ByteInput(path: "colors.csv"))
    _ = summary
}

func producedDataset(_ producer: some RowProducer, _ output: some ByteOutput) throws {
    let count = try ProducedDataset(producer, options: ExportOptions(format: .csv)).write(to: output)
    _ = count
}

func reportedStore(_ container: PersistentContainer) throws {
    let report = try StoreReport(reading: container.coordinator.store, ReportOptions(title: "Staff"))
    let page = report.page
    _ = page
}

func reportedFile(_ container: PersistentContainer) throws {
    let report = try StoreReport(reading: container.coordinator.store, ReportOptions(title: "Staff"))
    try Data(report.page.utf8).write(to: URL(fileURLWithPath: "report.html"), options: .atomic)
}

func spelledColumn() throws -> ReadingOptions {
    var reading = ReadingOptions(format: .csv)
    reading.spelling.decimal = try NumberSign(",")
    reading.columnSpellings["hired"] = ValueSpelling(dateFormat: try DatePattern("%d.%m.%Y"))
    return reading
}

func spelledColumns() throws -> ReadingOptions {
    var reading = ReadingOptions(format: .csv)
    reading.spelling = ValueSpelling(
        decimal: try NumberSign(","), group: try NumberSign("."), trueWords: ["ja"], falseWords: ["nein"])
    reading.columnSpellings["hired"] = ValueSpelling(dateFormat: try DatePattern("%d.%m.%Y"))
    return reading
}

func surveyOfNumbers(_ entity: EntityDescription, _ input: ByteInput) throws {
    var survey = NumberSurvey(of: entity, ["price"])
    try survey.read(input, ReadingOptions(format: .csv))
    print(survey.finding("price"))
}

func appearanceOfTable() throws -> TableAppearance {
    let appearance = try TableAppearance(of: ByteInput(path: "people.csv"))
    return appearance
}
