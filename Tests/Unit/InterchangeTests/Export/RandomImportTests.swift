import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// Exports with options, imports with matching options, and exports again with the same bytes and values.
///
/// The variable `STRATA_RANDOM_RECORDS` sets the total count of records (default: 10,000). The full size is at least
/// 100,000.
@Suite("Imports of random values")
struct RandomImportTests {
    /// The options that write a dataset, and the options that read the written dataset.
    struct Variant: Sendable, CustomTestStringConvertible {
        let name: String
        let format: DatasetFormat
        let write: @Sendable (inout ExportOptions) -> Void
        let read: @Sendable (inout ReadingOptions) -> Void

        var testDescription: String { "\(format.rawValue) \(name)" }

        init(
            _ format: DatasetFormat, _ name: String,
            _ write: @escaping @Sendable (inout ExportOptions) -> Void = { _ in },
            _ read: @escaping @Sendable (inout ReadingOptions) -> Void = { _ in }
        ) {
            self.format = format
            self.name = name
            self.write = write
            self.read = read
        }
    }

    static let columns = [
        "id", "text", "small", "whole", "real", "price", "flag", "day", "key", "bytes", "birthday", "opens",
    ]

    static let variants: [Variant] =
        [
            Variant(.ndjson, "with default options"),
            Variant(.csv, "without a header", { $0.hasHeader = false }, named),
            Variant(
                .tsv, "without a header, with CR line endings, all fields quoted",
                {
                    $0.hasHeader = false
                    $0.quotesAll = true
                    $0.lineEnding = .cr
                }, named),
            Variant(
                .csv, "with the text column first and without a header",
                {
                    $0.hasHeader = false
                    $0.columns = (["text"] + Self.columns.filter { $0 != "text" }).map { ExportColumn($0) }
                },
                {
                    named(&$0)
                    $0.dialect.columns = ["text"] + Self.columns.filter { $0 != "text" }
                }),
            Variant(
                .csv, "with a single column",
                { $0.columns = [ExportColumn("text")] }),
            Variant(.csv, "with a recognized separator", { $0.separator = .semicolon }),
            Variant(
                .csv, "with bars, CRLF, a byte order mark and a null token",
                {
                    $0.separator = .bar
                    $0.lineEnding = .crlf
                    $0.hasByteOrderMark = true
                    $0.nullToken = "0"
                }, { $0.dialect.nullTokens = ["0"] }),
            Variant(
                .csv, "with comments and lenient reading that change no value", { _ in },
                {
                    $0.dialect.isLenient = true
                    $0.dialect.comment = "//never//"
                }),
        ]
        + ["NULL", "-", "\\N", "null", "a", "\u{e9}"].map { token in
            Variant(
                .csv, "with the null token \(token)", { $0.nullToken = token }, { $0.dialect.nullTokens = [token] })
        }
        + [":", "-", "1", "a", "/", "'", "="].map { byte in
            let separator = try? CSVSeparator(byte.utf8.first ?? 0)
            return Variant(
                .csv, "with the separator \(byte)", { $0.separator = separator }, { $0.dialect.separator = separator })
        }

    @Sendable private static func named(_ options: inout ReadingOptions) {
        options.dialect.hasHeader = false
        options.dialect.columns = columns
    }

    private static var recordsInAll: Int {
        ProcessInfo.processInfo.environment["STRATA_RANDOM_RECORDS"].flatMap { Int($0) }
            ?? Seeds.count(1_000, all: 10_000)
    }

    @Test(
        "an export with options is imported with matching options and exported again unchanged",
        arguments: Array(variants.enumerated()))
    func roundTrip(number: Int, variant: Variant) throws {
        var values = RandomValues(seed: UInt64(number + 101))
        let model = try SampleModel.model()
        let count = max(1, Self.recordsInAll / Self.variants.count)
        let entity = try model.entity(named: "Thing")
        let container = try PersistentContainer(model: model, .inMemory, mainQueue: .private)
        try container.batchInsert(into: "Thing") { inserter in
            for record in 1...count {
                let row = entity.columns.map { values.value($0.type, isOptional: $0.isOptional) }
                try inserter.insert(values: row, location: RowLocation(line: record, record: record))
            }
        }
        let options = ExportOptions.with(variant.format, variant.write)
        let first = try container.coordinator.store.exported(StoreRequest("Thing"), options)
        let folder = try TemporaryFolder()
        let second = try PersistentContainer(
            model: model, .sqlite(at: folder.file("b.sqlite")), mainQueue: .private)
        var reading = ImportOptions(format: variant.format)
        variant.read(&reading.reading)
        let importer = try DatasetImporter(entity: "Thing", container: second, options: reading)
        let block = [17, 1000, ByteInput.defaultBlockSize][number % 3]
        let input = ByteInput(bytes: Array(first.utf8), name: "first", blockSize: block)
        #expect(try importer.run(input).count == count)
        let again = try second.coordinator.store.exported(StoreRequest("Thing"), options)
        #expect(first.utf8.elementsEqual(again.utf8))
        if options.columns == nil {
            #expect(
                try container.coordinator.store.rows(StoreRequest("Thing")).map(\.values)
                    == (try second.coordinator.store.rows(StoreRequest("Thing")).map(\.values)))
        }
        try container.close()
        try second.close()
    }

    @Test(
        "a store with join tables is exported to a directory, imported into another store and exported unchanged",
        arguments: DatasetFormat.allCases)
    func directories(format: DatasetFormat) throws {
        let folder = try TemporaryFolder()
        let model = try StoreContract.model()
        let original = try SQLiteStore.open(at: folder.file("a.sqlite"), model: model)
        #expect(try original.save(try Self.changes(model, seed: 9)).isEmpty)
        let options = ExportOptions(format: format)
        let paths = ["one", "two"].map { folder.file($0).path }
        let manifest = try DirectoryExporter(store: original, options: options).run(to: paths[0])
        #expect(manifest.joins.contains { $0.rows > 20 })

        let directory = try DatasetDirectory(path: paths[0], model: model)
        let second = try PersistentContainer(
            model: model, .sqlite(at: folder.file("b.sqlite")), mainQueue: .private)
        let sources = try directory.files.map { file in
            ImportSource(
                entity: file.entity, input: try ByteInput(path: file.path),
                reading: ReadingOptions(format: file.format))
        }
        let importer = DatasetImporter(container: second, options: ImportOptions(format: format))
        let summary = try importer.run(sources)
        #expect(
            summary.count == manifest.datasets.reduce(0) { $0 + $1.rows } + manifest.joins.reduce(0) { $0 + $1.rows })
        let again = try DirectoryExporter(store: second.coordinator.store, options: options).run(to: paths[1])
        #expect(again == manifest)
        for name in try FileManager.default.contentsOfDirectory(atPath: paths[0]) {
            let files = try paths.map { try Data(contentsOf: URL(fileURLWithPath: "\($0)/\(name)")) }
            #expect(files[0] == files[1], "\(name)")
        }
        try second.close()
        try original.close()
    }

    /// Creates people with friends and followers, articles with tags, and lists of songs, all with hostile names.
    private static func changes(_ model: ManagedObjectModel, seed: UInt64) throws -> ChangeSet {
        var values = RandomValues(seed: seed)
        var changes = ChangeSet()
        let counts = [("Person", 60), ("Article", 40), ("Tag", 30), ("Playlist", 20), ("Song", 80), ("Sample", 100)]
        for (name, count) in counts {
            let entity = try model.entity(named: name)
            changes[name].insertions = (1...Int64(count)).map { id in
                let row = entity.columns.map { column -> StoredValue in
                    // To-one references are null. Unique texts contain the identifier.
                    if column.destination != nil { return .null }
                    if column.name == "slug" { return .string("\(id), \"x\"\n") }
                    return values.value(column.type, isOptional: column.isOptional)
                }
                return .init(id: id * 3, values: row)
            }
        }
        for join in model.joins {
            let source = Int64(counts.first { $0.0 == join.sourceEntity }?.1 ?? 0)
            let target = Int64(counts.first { $0.0 == join.targetEntity }?.1 ?? 0)
            guard source > 0, target > 0 else { continue }
            var pairs: Set<[Int64]> = []
            while pairs.count < 60 {
                let ends = [
                    Int64.random(in: 1...source, using: &values.generator) * 3,
                    Int64.random(in: 1...target, using: &values.generator) * 3,
                ]
                // A symmetric join row is stored once.
                if join.sourceEntity == join.targetEntity, pairs.contains(ends.reversed()) { continue }
                pairs.insert(ends)
            }
            changes.joins[join.name, default: .init()].added = pairs.sorted { $0.lexicographicallyPrecedes($1) }
                .map { .init(.init(source: $0[0], target: $0[1])) }
        }
        return changes
    }
}
