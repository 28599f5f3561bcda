import Foundation
import PersistenceTestSupport
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// Exports, imports and exports again; the second file equals the first.
///
/// The variable `STRATA_RANDOM_RECORDS` sets the total count of records (default: 16,000). The full size is at least
/// 100,000.
@Suite("Round trips of random values")
struct RandomRoundTripTests {
    /// A change of the export options that the importer recognizes automatically.
    struct Variant: Sendable, CustomTestStringConvertible {
        let name: String
        let format: DatasetFormat
        let change: @Sendable (inout ExportOptions) -> Void

        var testDescription: String { "\(format.rawValue) \(name)" }

        init(
            _ format: DatasetFormat, _ name: String,
            _ change: @escaping @Sendable (inout ExportOptions) -> Void = { _ in }
        ) {
            self.format = format
            self.name = name
            self.change = change
        }
    }

    /// The variants that an importer reads without options.
    static let variants: [Variant] = [
        Variant(.csv, "with default options"), Variant(.tsv, "with default options"),
        Variant(.json, "with default options"),
        Variant(.json, "with indentation") { $0.isPretty = true },
        Variant(.csv, "with all fields quoted") { $0.quotesAll = true },
        Variant(.csv, "with CRLF line endings") { $0.lineEnding = .crlf },
        Variant(.csv, "with CR line endings and a byte order mark") {
            $0.lineEnding = .cr
            $0.hasByteOrderMark = true
        },
        Variant(.tsv, "with all fields quoted by one reader") {
            $0.quotesAll = true
            $0.readers = 1
        },
    ]

    private static var recordsInAll: Int {
        ProcessInfo.processInfo.environment["STRATA_RANDOM_RECORDS"].flatMap { Int($0) }
            ?? Seeds.count(1_000, all: 16_000)
    }

    @Test(
        "rows that are exported and imported are exported again with identical bytes",
        arguments: Array(variants.enumerated()))
    func roundTrip(number: Int, variant: Variant) throws {
        var values = RandomValues(seed: UInt64(number + 1))
        let folder = try TemporaryFolder()
        let model = try SampleModel.model()
        let count = max(1, Self.recordsInAll / Self.variants.count)
        let entity = try model.entity(named: "Thing")
        let container = try PersistentContainer(
            model: model, .sqlite(at: folder.file("a.sqlite")), mainQueue: .private)
        try container.batchInsert(into: "Thing") { inserter in
            for record in 1...count {
                let row = entity.columns.map { values.value($0.type, isOptional: $0.isOptional) }
                try inserter.insert(values: row, location: RowLocation(line: record, record: record))
            }
        }
        let options = ExportOptions.with(variant.format, variant.change)
        let first = try container.coordinator.store.exported(StoreRequest("Thing"), options)
        let second = try PersistentContainer(
            model: model, .sqlite(at: folder.file("b.sqlite")), mainQueue: .private)
        let importer = try DatasetImporter(
            entity: "Thing", container: second, options: ImportOptions(format: variant.format))
        #expect(try importer.run(ByteInput(bytes: Array(first.utf8), name: "first")).count == count)
        let again = try second.coordinator.store.exported(StoreRequest("Thing"), options)
        #expect(first.utf8.elementsEqual(again.utf8))
        #expect(
            try container.coordinator.store.rows(StoreRequest("Thing")).map(\.values)
                == (try second.coordinator.store.rows(StoreRequest("Thing")).map(\.values)))
    }

    @Test(
        "in-memory and SQLite stores with the same rows export identical bytes", arguments: DatasetFormat.allCases)
    func rawAndValues(format: DatasetFormat) throws {
        var values = RandomValues(seed: 77)
        let folder = try TemporaryFolder()
        let model = try SampleModel.model()
        let entity = try model.entity(named: "Thing")
        let stores = try StoreKind.allCases.map { try $0.open(model, in: folder) }
        let rows = (1...500).map { _ in entity.columns.map { values.value($0.type, isOptional: $0.isOptional) } }
        for store in stores {
            try store.insertRows(of: "Thing") { inserter in
                for (number, row) in rows.enumerated() {
                    _ = try inserter.insert(id: nil, values: row, location: RowLocation(line: number, record: number))
                }
            }
        }
        let options = [
            ExportOptions(format: format),
            format.isTable
                ? .with(format) {
                    $0.nullToken = "0"
                    $0.escapesFormulas = true
                } : ExportOptions(format: format),
        ]
        for options in options {
            let texts = try stores.map { try $0.exported(StoreRequest("Thing"), options) }
            #expect(texts[0].utf8.elementsEqual(texts[1].utf8))
        }
    }
}
