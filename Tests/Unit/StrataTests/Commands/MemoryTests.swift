import Foundation
import Testing

@Suite("Memory", .serialized)
struct MemoryTests {
    private let folder = TemporaryFolder()

    private func strata(_ arguments: String...) throws -> Tool.Result {
        try Tool.quickest.namingReferenceModel.run(arguments, in: folder, measuresMemory: true)
    }

    /// Returns the peak memory of importing a number of rows of a format, which must succeed.
    private func peak(rows: Int, format: String) throws -> Int {
        let options = ["--entity", "color", "--count", "\(rows)", "--seed", "1", "--output", "\(rows).\(format)"]
        try Tool.quickest.namingReferenceModel.run(["generate"] + options, in: folder).expect(status: 0)
        let result = try strata(
            "import", "\(rows).\(format)", "--entity", "color", "--store", "\(rows).\(format).sqlite")
        result.expect(status: 0)
        return result.peakMemory
    }

    @Test("importing eight times the rows needs no more memory", .releaseTool, arguments: ["csv", "json"])
    func importing(format: String) throws {
        let few = try peak(rows: 20_000, format: format)
        let many = try peak(rows: 160_000, format: format)
        #expect(many < 64 << 20)
        // Eight times the rows add 8 MB to the file, which would be visible if they were retained.
        #expect(many - few < 5 << 20)
    }

    @Test(
        "an import reports a dangling reference among many rows with its line in bounded memory",
        .measuresMemory)
    func danglingReference() throws {
        let rows = Tool.release == nil ? 6_000 : 60_000
        #expect(
            try strata("generate", "--entity", "boss", "--count", "50", "--seed", "1", "--output", "b.csv").status == 0)
        try strata("import", "b.csv", "--entity", "boss", "--store", "s").expect(status: 0)
        #expect(
            try strata(
                "generate", "--entity", "employee", "--count", "Employee=\(rows),Boss=50", "--seed", "1", "--output",
                "e.csv"
            ).status == 0)
        var lines = try folder.text("e.csv").split(separator: "\n", omittingEmptySubsequences: false)
        let middle = rows / 2
        lines[middle] = "\(middle),a,b,1,2020-01-01,51"
        try folder.write(lines.joined(separator: "\n"), to: "e.csv")
        let result = try strata("import", "e.csv", "--entity", "employee", "--store", "s")
        result.expect(status: 65)
        #expect(
            result.errors == "e.csv:\(middle + 1): record \(middle), column boss: "
                + "there is no Boss 51, neither in the store nor in this import\n")
        #expect(result.peakMemory < 64 << 20)
    }

    @Test(
        "an import of eight times as many records, each with another unknown key, needs no more memory",
        .measuresMemory)
    func unknownKeys() throws {
        func importing(_ count: Int) throws -> Tool.Result {
            let records = (1...count).map { "{\"hex\":\"#123\",\"key\($0)\":1}" }
            try folder.write("[" + records.joined(separator: ",\n") + "]", to: "\(count).json")
            return try strata(
                "import", "\(count).json", "--entity", "color", "--store", "k", "--ignore-unknown-columns")
        }
        let scale = Tool.release == nil ? 1_000 : 10_000
        let few = try importing(scale)
        let many = try importing(8 * scale)
        many.expect(status: 0)
        #expect(many.peakMemory - few.peakMemory < 3 << 20)
        #expect(many.errors.hasPrefix("ignored columns: key1, key2, "))
        let imported = "imported \(8 * scale) Color records from \(8 * scale).json into k\n"
        #expect(many.errors.hasSuffix(", key20 and others\n" + imported))
    }
}
