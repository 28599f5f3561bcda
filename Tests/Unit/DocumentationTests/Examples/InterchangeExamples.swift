import StrataInterchange
import StrataPersistence
import StrataStoreKit

// The examples of the documentation of interchange types, line by line. Values that an example only names are
// parameters.

func printNext(_ reader: inout CSVReader) throws -> Bool {
    do {
        guard try reader.next() else { return false }
        print(reader.record, reader.text(ofField: 0))
    } catch  where error.code == .malformed {
        print(error)
        try reader.recover()
    }
    return true
}

func csvDialect() throws -> CSVDialect {
    var dialect = CSVDialect(separator: .semicolon)
    dialect.hasHeader = false
    dialect.columns = ["id", "name", "price"]
    dialect.nullTokens = ["NA"]
    dialect.comment = "#"
    dialect.encoding = .windows1252
    return dialect
}

func csvSeparator() throws -> CSVSeparator {
    let colon = try CSVSeparator(UInt8(ascii: ":"))
    return colon
}

func jsonTotal() throws -> Double {
    var reader = try JSONRecordReader(ByteInput(path: "prices.ndjson"), layout: JSONRecordLayout(.lines))
    var total = 0.0
    while try reader.next() {
        for member in 0..<reader.memberCount where reader.kind(ofMember: member) == .number {
            total += Double(reader.text(ofMember: member)) ?? 0
        }
    }
    return total
}

func jsonMembers() -> JSONRecordLayout {
    var layout = JSONRecordLayout(.members)
    layout.keyName = "hex"
    layout.valueName = "name"
    return layout
}

func importedDatasets(_ container: PersistentContainer) throws {
    let importer = DatasetImporter(container: container, options: ImportOptions(format: .csv))
    let summary = try importer.run([
        ImportSource(entity: "Boss", input: ByteInput.file(at: "bosses.csv.gz")),
        ImportSource(entity: "Employee", input: ByteInput.file(at: "employees.csv")),
    ])
    print(summary.count, summary.rejected)
}

func importedWithRejects(_ container: PersistentContainer) throws -> ImportSummary {
    let rejects = RejectsFile(path: "rejects.csv", source: "colors.csv")
    var options = ImportOptions(format: .csv)
    options.onError = .reject
    options.maximumErrors = 100
    options.onConflict = .update
    options.keepsOriginals = true
    options.onProblem = { problem in
        if !problem.isFatal { try rejects.append(problem) }
    }
    options.beforeCommit = { _ in try rejects.commit() }
    let importer = try DatasetImporter(entity: "Color", container: container, options: options)
    let summary = try importer.run(ByteInput(path: "colors.csv"))
    return summary
}

func importedWithReport(_ container: PersistentContainer) throws {
    let report = try ImportReport(path: "report.json")
    var options = ImportOptions(format: .csv)
    options.onProblem = { try report.append($0.error) }
    options.beforeCommit = { if $0.isWhole { try report.prepare($0) } }
    var failed: ImportSummary?
    options.onFailure = { failed = $0 }
    let summary: ImportSummary
    do {
        let importer = try DatasetImporter(entity: "Color", container: container, options: options)
        summary = try importer.run(ByteInput(path: "colors.csv"))
    } catch {
        try report.finish(failed, .failed)
        throw error
    }
    try report.finish(summary, .stored)
}

func summaryOfFiles(_ importer: DatasetImporter, _ sources: [ImportSource]) throws {
    let summary = try importer.run(sources)
    for file in summary.files {
        print(file.name, file.counts.inserted, file.counts.updated, file.rejected)
        for repair in file.repairs { print("  \(repair)") }
    }
}

func readingOptions() throws -> ReadingOptions {
    var reading = ReadingOptions(format: .csv)
    reading.dialect.separator = .semicolon
    reading.encoding = .windows1252
    reading.mapping["Nachname"] = "lastName"
    reading.omittedColumns = ["Bemerkung"]
    reading.spelling.decimal = try NumberSign(",")
    reading.columnSpellings["hired"] = ValueSpelling(dateFormat: try DatePattern("%d.%m.%Y"))
    return reading
}

func importSource() throws -> ImportSource {
    var source = ImportSource(entity: "Color", input: try ByteInput.file(at: "colors.json"))
    source.reading = ReadingOptions(format: .json)
    source.reading?.root = "colors"
    return source
}

func exportedColumns(_ container: PersistentContainer) throws {
    var options = ExportOptions(format: .csv)
    options.columns = [ExportColumn("lastName", as: "name"), ExportColumn("boss.lastName", as: "boss")]
    let exporter = try DatasetExporter(store: container.coordinator.store, options: options)
    let file = try AtomicFile(path: "employees.csv")
    try exporter.run(StoreRequest("Employee", sort: [.init("lastName")]), to: file.output)
    try file.commit()
}

func spreadsheetOptions() -> ExportOptions {
    var options = ExportOptions(format: .csv)
    options.separator = .semicolon
    options.lineEnding = .crlf
    options.hasByteOrderMark = true
    options.escapesFormulas = true
    return options
}

func importedDirectory(_ container: PersistentContainer) throws -> ImportSummary {
    let directory = try DatasetDirectory(path: "backup", model: container.model)
    let sources = try directory.files.map { file in
        var source = ImportSource(entity: file.entity, input: try ByteInput.file(at: file.path))
        source.reading = ReadingOptions(format: file.format)
        source.expectedRecords = file.records
        source.expectedDigest = file.digest
        return source
    }
    let importer = DatasetImporter(container: container, options: ImportOptions(format: .csv))
    let summary = try importer.run(sources)
    return summary
}

struct NumberedItems: RowProducer {
    let entity: EntityDescription
    let count: Int
    let rowsInBlock = 4_096

    func fill(_ block: inout RowBlock, with rows: Range<Int>) throws {
        for number in rows {
            block.beginRow(id: Int64(number + 1), location: RowLocation(line: 0, record: number + 1))
            block.set(.string("Item \(number + 1)"), column: 0)
        }
    }
}

func caughtProblems(_ importer: DatasetImporter) throws {
    do {
        _ = try importer.run(ByteInput(path: "colors.csv"))
    } catch let error as InterchangeError where error.code == .columns {
        print("wrong columns: \(error)")
    } catch let error as InterchangeError {
        print(error)
    }
}

func formattedColumn() throws -> ReadingOptions {
    let format = try DatePattern("%d.%m.%Y %H:%M")
    var reading = ReadingOptions(format: .csv)
    reading.columnSpellings["created"] = ValueSpelling(dateFormat: format)
    return reading
}
