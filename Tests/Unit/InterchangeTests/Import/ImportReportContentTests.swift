import Foundation
import StrataInterchange
import Testing

@Suite("Content of import reports")
struct ImportReportContentTests {
    /// The members of a report that a program reads.
    private struct Report: Decodable {
        struct Counts: Decodable {
            var source: String?
            var entity: String?
            var read: Int
            var inserted: Int
            var rejected: Int
            var bytes: Int
        }

        struct Problem: Decodable {
            var source: String?
            var record: Int?
        }

        var errors: [Problem]
        var files: [Counts]
        var outcome: ImportReport.Outcome
        var total: Counts
    }

    @Test("a report contains every file with its counts, every error, and the totals")
    func filesAndTotal() throws {
        let folder = try TemporaryDirectory()
        let texts = ["name\na\nb\n", "name,rank\nc,1\nd,x\ne,y\n"]
        let report = try ImportReport(path: folder.file("report"))
        var options = ImportOptions(format: .csv)
        options.onError = .reject
        options.onProblem = { try report.append($0.error) }
        let sources = texts.enumerated().map { number, text in
            ImportSource(
                entity: "Person", input: ByteInput(bytes: Array(text.utf8), name: "\(number).csv"),
                reading: options.reading)
        }
        let summary = try DatasetImporter(container: try SampleModel.container(), options: options).run(sources)
        try report.finish(summary, .stored)
        let read = try JSONDecoder().decode(Report.self, from: Data(folder.text(of: "report").utf8))
        #expect(read.outcome == .stored)
        #expect(read.errors.map(\.source) == ["1.csv", "1.csv"] && read.errors.map(\.record) == [2, 3])
        #expect(read.files.map(\.source) == ["0.csv", "1.csv"])
        #expect(read.files.map(\.entity) == ["Person", "Person"])
        #expect(read.files.map(\.read) == [2, 3] && read.files.map(\.inserted) == [2, 1])
        #expect(read.files.map(\.rejected) == [0, 2] && read.files.map(\.bytes) == texts.map(\.utf8.count))
        #expect(read.total.source == nil && read.total.read == 5 && read.total.inserted == 3)
        #expect(read.total.rejected == 2 && read.total.bytes == texts.map(\.utf8.count).reduce(0, +))
    }
}
