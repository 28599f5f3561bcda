import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Synchronization
import Testing

@Suite("Export with several readers")
struct ParallelExportTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    /// Identifiers with dense ranges, gaps and a single distant row: several parts of about 4,096 rows.
    private static let ids: [Int64] =
        Array(5...9_000) + Array(1_000_000...1_000_050) + Array(stride(from: 2_000_000, to: 4_000_000, by: 2_100))
        + [1 << 50]

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore.open(at: folder.file("s.sqlite"), model: try SampleModel.model())
        try store.insertRows(of: "Person") { inserter in
            for (number, id) in Self.ids.enumerated() {
                let name = id % 50 == 0 ? "Zoë, \"\(id)\"\n" : "Name \(id)"
                _ = try inserter.insert(
                    id: id, values: [.string(name), .integer(0), id % 3 == 0 ? .integer(5) : .null],
                    location: RowLocation(line: number, record: number))
            }
        }
    }

    private func exported(_ format: DatasetFormat, readers: Int, _ change: (inout ExportOptions) -> Void = { _ in })
        throws -> String
    {
        try store.exported(
            StoreRequest("Person"),
            .with(format) {
                $0.readers = readers
                change(&$0)
            })
    }

    @Test(
        "an export with several readers has the same bytes as an export with one reader",
        arguments: DatasetFormat.allCases)
    func sameBytes(format: DatasetFormat) throws {
        let one = try exported(format, readers: 1)
        for readers in Seeds.first(1, of: [3, 2, 5]) { #expect(try exported(format, readers: readers) == one) }
        #expect(
            try exported(format, readers: 2) { $0.columns = [.init("boss.name"), .init("id")] }
                == (try exported(format, readers: 1) { $0.columns = [.init("boss.name"), .init("id")] }))
    }

    @Test("the progress of an export counts every row once, with any number of readers", arguments: [1, 2, 3])
    func progress(readers: Int) throws {
        let counted = Mutex((calls: 0, rows: 0))
        let count: @Sendable (Int) -> Void = { more in
            counted.withLock { $0 = ($0.calls + 1, $0.rows + more) }
        }
        _ = try exported(.csv, readers: readers) { $0.progress = count }
        #expect(counted.withLock { $0.rows } == Self.ids.count)
        #expect(readers == 1 || counted.withLock { $0.calls } > 2)
        _ = try exported(.csv, readers: readers) {
            $0.columns = [.init("boss.name"), .init("id")]
            $0.progress = count
        }
        #expect(counted.withLock { $0.rows } == 2 * Self.ids.count)
    }

    @Test("an exported file on disk has every row and the same bytes as an export to memory")
    func file() throws {
        let path = folder.file("out.csv").path
        let file = try AtomicFile(path: path)
        let count = try DatasetExporter(store: store, format: .csv).run(StoreRequest("Person"), to: file.output)
        try file.commit()
        #expect(count == Self.ids.count)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == (try exported(.csv, readers: 1)))
    }

    @Test("a canceled export with several readers ends with CancellationError")
    func cancelled() throws {
        let questions = Mutex(0)
        let error = #expect(throws: (any Error).self) {
            try exported(.csv, readers: 2) {
                $0.isCancelled = {
                    questions.withLock {
                        $0 += 1
                        return $0 > 2
                    }
                }
            }
        }
        #expect(error is CancellationError)
    }

    @Test("a row that cannot be written ends the export with an error that names the row", arguments: [1, 2])
    func failing(readers: Int) throws {
        try store.insertRows(of: "Thing") { inserter in
            for number in 1...10_000 {
                let date = Date(timeIntervalSinceReferenceDate: number == 9_000 ? 1e15 : 0)
                _ = try inserter.insert(
                    id: nil,
                    values: [.null, .null, .null, .null, .null, .null, .date(date), .null, .null, .null, .null],
                    location: RowLocation(line: number, record: number))
            }
        }
        let error = #expect(throws: InterchangeError.self) {
            try store.exported(StoreRequest("Thing"), .with(.csv) { $0.readers = readers })
        }
        #expect(error?.message.hasPrefix("Thing 9000, day: the date is outside the years") == true)
    }

    @Test("an export with several readers contains one consistent state despite concurrent writes")
    func consistent() async throws {
        let store = store
        let writing = Task.detached {
            for round in 1...100 {
                // Each save changes the first and the last row, so the sum of their ranks remains 0.
                var changes = ChangeSet()
                for (id, rank) in [(Self.ids[0], round), (Self.ids[Self.ids.count - 1], -round)] {
                    let row = try #require(
                        try store.rows(
                            StoreRequest("Person", where: .isIn(.property("id"), [.integer(id)]))
                        ).first)
                    var values = row.values
                    values[1] = .integer(Int64(rank))
                    changes["Person"].updates.append(
                        .init(id: id, expectedVersion: row.version, values: values, changedColumns: [1]))
                }
                #expect(try store.save(changes).isEmpty)
            }
        }
        for _ in 0..<8 {
            let lines = try exported(.csv, readers: 2) { $0.columns = [.init("rank")] }.split(separator: "\n")
            let (first, last) = (try #require(Int(lines[1])), try #require(Int(lines[lines.count - 1])))
            #expect(first + last == 0)
            #expect(lines.count == Self.ids.count + 1)
        }
        try await writing.value
    }
}
