import Foundation
import StrataInterchange
import Testing

@Suite("Compressed files")
struct CompressionTests {
    private static func isInstalled(_ tool: String) -> Bool {
        ["/usr/bin/", "/bin/", "/usr/local/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + tool) }
    }

    private static let endings: [String] = [("gzip", "gz"), ("zstd", "zst")].filter { isInstalled($0.0) }.map(\.1)

    private static let text = Array(String(repeating: "id,name\n1,a\n", count: 40_000).utf8)

    private static func readAll(_ path: String) throws -> [UInt8] {
        let input = try ByteInput.file(at: path)
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: input.blockSize)
        while true {
            let count = try input.read(into: &block, at: 0)
            guard count > 0 else { return bytes }
            bytes += block[..<count]
        }
    }

    private static func write(_ path: String) throws {
        let file = try CompressedFile(path: path)
        try file.output.append(text)
        try file.commit()
    }

    @Test("what is written comes back, is smaller, and is the same each time", arguments: endings)
    func roundTrip(_ ending: String) throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("rows.csv.\(ending)")
        try Self.write(path)
        let first = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(first.count < Self.text.count / 20)
        #expect(try Self.readAll(path) == Self.text)
        try Self.write(path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == first)
        // It is the content that says so, not the name.
        try FileManager.default.moveItem(atPath: path, toPath: folder.file("rows.csv"))
        #expect(try Self.readAll(folder.file("rows.csv")) == Self.text)
        #expect(try folder.names() == ["rows.csv"])
    }

    @Test("a file that ends too early is an error, also for whoever reads on", arguments: endings)
    func truncated(_ ending: String) throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("rows.csv.\(ending)")
        try Self.write(path)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try whole.prefix(whole.count - 9).write(to: URL(fileURLWithPath: path))
        let input = try ByteInput.file(at: path)
        var block = [UInt8](repeating: 0, count: input.blockSize)
        var errors: [InterchangeError] = []
        for _ in 1...100 where errors.count < 2 {
            do throws(InterchangeError) { _ = try input.read(into: &block, at: 0) } catch { errors.append(error) }
        }
        #expect(errors.count == 2 && errors[0] == errors[1])
        #expect(errors.first?.code == .malformed && errors.first?.source == path)
        #expect(errors.first?.message.contains("could not decompress it: ") == true)
    }

    @Test("what is given up leaves the target and no other file", arguments: endings)
    func discarded(_ ending: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write("old", to: "rows.csv.\(ending)")
        let file = try CompressedFile(path: folder.file("rows.csv.\(ending)"))
        try file.output.append(Self.text)
        file.discard()
        #expect(try folder.names() == ["rows.csv.\(ending)"])
        #expect(try folder.text(of: "rows.csv.\(ending)") == "old")
    }

    @Test("another name is written as it is")
    func plain() throws {
        let folder = try TemporaryDirectory()
        try Self.write(folder.file("rows.csv"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("rows.csv"))) == Data(Self.text))
    }
}
