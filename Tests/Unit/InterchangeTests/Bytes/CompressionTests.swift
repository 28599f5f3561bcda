import Foundation
import StrataInterchange
import StrataTestSupport
import Testing

@Suite("Compressed files")
struct CompressionTests {
    @Suite("gzip compression", .enabled(if: Machine.has("gzip"), "gzip is not installed"))
    struct Gzip {
        private let compression = Compression(ending: "gz")

        @Test("compressed data is smaller, is decompressed unchanged, and is the same for each write")
        func roundTrip() throws { try compression.expectRoundTrip() }

        @Test("reading a truncated compressed file throws an error, and each later read throws the same error")
        func truncated() throws { try compression.expectErrorsWhenTruncated() }

        @Test("a discarded compressed output leaves the target file unchanged and no temporary file")
        func discarded() throws { try compression.expectNothingWhenDiscarded() }
    }

    @Suite("zstd compression", .enabled(if: Machine.has("zstd"), "zstd is not installed"))
    struct Zstd {
        private let compression = Compression(ending: "zst")

        @Test("compressed data is smaller, is decompressed unchanged, and is the same for each write")
        func roundTrip() throws { try compression.expectRoundTrip() }

        @Test("reading a truncated compressed file throws an error, and each later read throws the same error")
        func truncated() throws { try compression.expectErrorsWhenTruncated() }

        @Test("a discarded compressed output leaves the target file unchanged and no temporary file")
        func discarded() throws { try compression.expectNothingWhenDiscarded() }
    }

    @Test("a file with another extension is written without compression")
    func plain() throws {
        let folder = try TemporaryDirectory()
        try Compression.write(folder.file("rows.csv"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("rows.csv"))) == Data(Compression.text))
    }
}

/// The checks that apply to each compression.
private struct Compression {
    let ending: String

    static let text = Array(String(repeating: "id,name\n1,a\n", count: 40_000).utf8)

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

    static func write(_ path: String) throws {
        let file = try CompressedFile(path: path)
        try file.output.append(text)
        try file.commit()
    }

    func expectRoundTrip() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("rows.csv.\(ending)")
        try Self.write(path)
        let first = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(first.count < Self.text.count / 20)
        #expect(try Self.readAll(path) == Self.text)
        try Self.write(path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == first)
        // The content and not the name determines the compression.
        try FileManager.default.moveItem(atPath: path, toPath: folder.file("rows.csv"))
        #expect(try Self.readAll(folder.file("rows.csv")) == Self.text)
        #expect(try folder.names() == ["rows.csv"])
    }

    func expectErrorsWhenTruncated() throws {
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
        #expect(errors.first?.message.contains("could not decompress the file: ") == true)
    }

    func expectNothingWhenDiscarded() throws {
        let folder = try TemporaryDirectory()
        try folder.write("old", to: "rows.csv.\(ending)")
        let file = try CompressedFile(path: folder.file("rows.csv.\(ending)"))
        try file.output.append(Self.text)
        file.discard()
        #expect(try folder.names() == ["rows.csv.\(ending)"])
        #expect(try folder.text(of: "rows.csv.\(ending)") == "old")
    }
}
