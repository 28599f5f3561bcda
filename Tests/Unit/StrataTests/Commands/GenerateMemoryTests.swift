import Foundation
import Testing

@Suite("Memory of generate", .serialized, .releaseTool)
struct GenerateMemoryTests {
    private let folder = TemporaryFolder()

    /// Returns the peak memory of generating a number of employees, which must succeed.
    private func peak(_ rows: Int, _ options: String) throws -> Int {
        let arguments = "generate --count Employee=\(rows),Boss=1000 -q \(options)"
        let result = try Tool.quickest.namingReferenceModel.run(
            arguments.split(separator: " ").map(String.init), in: folder, measuresMemory: true)
        result.expect(status: 0)
        return result.peakMemory
    }

    private static let few = 10_000
    private static let many = 110_000

    @Test(
        "generating eleven times the rows needs no more memory",
        arguments: [
            "--entity employee -o /dev/null", "-o d --format json --threads 1", "-o d --format ndjson --threads 5",
        ])
    func generating(options: String) throws {
        let few = try peak(Self.few, options)
        let many = try peak(Self.many, options)
        #expect(many < 64 << 20)
        // The additional rows have at least 6 MB, which would be visible if they were retained.
        #expect(many - few < 4 << 20)
    }

    @Test("generating a million rows needs about the memory of generating a thousand rows")
    func million() throws {
        let peaks = try [1_000, 1_000_000].map { try peak($0, "-o d") }
        #expect(peaks[1] < 48 << 20)
        #expect(peaks[1] - peaks[0] < 16 << 20)
    }

    @Test("generate --check needs about the same memory for any count of rows")
    func checking() throws {
        func checking(_ rows: Int) throws -> Int {
            _ = try peak(rows, "-o d")
            let result = try Tool.quickest.namingReferenceModel.run(
                ["generate", "--check", "d"], in: folder, measuresMemory: true)
            #expect(result.errors == "2 files of d match the manifest\n")
            return result.peakMemory
        }
        let few = try checking(Self.few)
        let many = try checking(Self.many)
        #expect(many < 64 << 20)
        #expect(many - few < 4 << 20)
    }

    @Test("generate --store needs about the same memory for five times as many rows")
    func storing() throws {
        let few = try peak(Self.few, "--store few")
        let many = try peak(Self.few * 5, "--store many")
        #expect(many < 64 << 20)
        #expect(many - few < 8 << 20)
    }
}
