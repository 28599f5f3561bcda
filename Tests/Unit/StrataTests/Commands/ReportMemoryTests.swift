import Foundation
import Testing

@Suite("Memory of reports", .serialized, .releaseTool)
struct ReportMemoryTests {
    private let folder = TemporaryFolder()

    /// Returns the peak memory of a report on a store with a number of items, which must succeed.
    private func peak(rows: Int) throws -> Int {
        let generated = ["generate", "--entity", "item", "--count", "\(rows)", "--seed", "1", "-o", "\(rows).csv"]
        try Tool.quickest.namingReferenceModel.run(generated, in: folder).expect(status: 0)
        let imported = ["import", "\(rows).csv", "--entity", "item", "--store", "\(rows).sqlite"]
        try Tool.quickest.namingReferenceModel.run(imported, in: folder).expect(status: 0)
        let report = ["report", "--store", "\(rows).sqlite", "-o", "report.html"]
        let result = try Tool.quickest.namingReferenceModel.run(report, in: folder, measuresMemory: true)
        result.expect(status: 0)
        return result.peakMemory
    }

    @Test("a report on eight times the rows needs no more memory")
    func reporting() throws {
        let few = try peak(rows: 10_000)
        let many = try peak(rows: 80_000)
        #expect(many < 64 << 20)
        // Eight times the numbers would add 2 MB for each of four columns.
        #expect(many - few < 5 << 20)
    }
}
