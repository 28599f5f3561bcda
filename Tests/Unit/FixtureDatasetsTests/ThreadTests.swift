import Foundation
import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataTestSupport
import Testing

@Suite("Threads of writers")
struct ThreadTests {
    /// Counts around the borders of the parts that threads generate.
    static let counts = [0, 1, 4_096, 4_097]

    @Test(
        "a generated file has the same bytes for any number of threads",
        arguments: Seeds.first(2, of: DatasetFormat.allCases), counts
    )
    func threads(format: DatasetFormat, count: Int) throws {
        let dataset = try FixtureDataset.reference(counts: ["Employee": count])
        let one = try dataset.bytes(of: "Employee", format, threads: 1)
        for threads in [2, 3] {
            #expect(try dataset.bytes(of: "Employee", format, threads: threads) == one, "\(threads) threads")
        }
    }

    @Test("a file with fewer rows is the beginning of a file with more rows")
    func growth() throws {
        let few = try FixtureDataset.reference(counts: ["Employee": 1_000]).bytes(of: "Employee", .csv)
        let many = try FixtureDataset.reference(counts: ["Employee": 5_000]).bytes(of: "Employee", .csv)
        #expect(many.starts(with: few))
    }

    @Test("a failed output ends all generating threads with the error of the output")
    func failure() throws {
        let dataset = try FixtureDataset.reference(counts: ["Employee": 50_000])
        let output = ByteOutput(descriptor: -1, name: "nowhere")
        let error = #expect(throws: InterchangeError.self) {
            try dataset.write("Employee", to: output, options: ExportOptions(format: .csv))
        }
        #expect(error?.code == .outputFailed)
    }

    @Test("a canceled generation ends with CancellationError")
    func cancellation() throws {
        var cancelled = ExportOptions(format: .ndjson)
        cancelled.isCancelled = { true }
        let options = cancelled
        let dataset = try FixtureDataset.reference(counts: ["Employee": 50_000])
        #expect(throws: CancellationError.self) {
            try dataset.write("Employee", to: ByteOutput.memory(), options: options)
        }
    }

    @Test("the generator rejects a selection of columns")
    func columns() throws {
        let dataset = try FixtureDataset.reference()
        var options = ExportOptions(format: .csv)
        options.columns = [ExportColumn("id")]
        let chosen = options
        let error = #expect(throws: InterchangeError.self) {
            try dataset.write("Boss", to: ByteOutput.memory(), options: chosen)
        }
        #expect(error?.code == .unsupported)
    }
}
