import Foundation
import Testing

@Suite("Memory of generate", .serialized, .releaseTool)
struct GenerateMemoryTests {
    private let folder = TemporaryFolder()

    /// The peak of generating so many employees, which must succeed.
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
        "ten times the rows take no more",
        arguments: [
            "--entity employee -o /dev/null", "-o d --format json --threads 1", "-o d --format ndjson --threads 5",
        ])
    func generating(options: String) throws {
        let few = try peak(Self.few, options)
        let many = try peak(Self.many, options)
        #expect(many < 64 << 20)
        // The rows more are 6 MB at least, which would show if they were kept.
        #expect(many - few < 4 << 20)
    }

    @Test("a million rows take no more than a few")
    func million() throws {
        let peaks = try [1_000, 1_000_000].map { try peak($0, "-o d") }
        #expect(peaks[1] < 48 << 20)
        #expect(peaks[1] - peaks[0] < 16 << 20)
    }

    @Test("nor does a check")
    func checking() throws {
        func checking(_ rows: Int) throws -> Int {
            _ = try peak(rows, "-o d")
            let result = try Tool.quickest.namingReferenceModel.run(
                ["generate", "--check", "d"], in: folder, measuresMemory: true)
            #expect(result.errors == "2 files of d are what the manifest makes\n")
            return result.peakMemory
        }
        let few = try checking(Self.few)
        let many = try checking(Self.many)
        #expect(many < 64 << 20)
        #expect(many - few < 4 << 20)
    }

    @Test("nor does a store")
    func storing() throws {
        let few = try peak(Self.few, "--store few")
        let many = try peak(Self.few * 5, "--store many")
        #expect(many < 64 << 20)
        #expect(many - few < 8 << 20)
    }
}
