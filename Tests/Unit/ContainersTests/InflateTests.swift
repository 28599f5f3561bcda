import Foundation
import StrataContainers
import StrataTestSupport
import Testing

@Suite("DEFLATE")
struct InflateTests {
    static func inflated(_ bytes: [UInt8], limit: Int = 1 << 24, blockSize: Int = .max) throws -> [UInt8] {
        try Inflate(ByteArraySource(bytes, blockSize: blockSize), limit: limit).contents(atMost: limit)
    }

    /// Returns bytes in which texts repeat at random distances.
    static func sample(_ seed: UInt64, _ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        while bytes.count < count {
            if bytes.count > 10, Bool.random(using: &generator) {
                let distance = Int.random(in: 1...min(bytes.count, 40_000), using: &generator)
                for _ in 0..<Int.random(in: 3...300, using: &generator) { bytes.append(bytes[bytes.count - distance]) }
            } else {
                bytes.append(UInt8.random(in: 0...255, using: &generator))
            }
        }
        return bytes
    }

    /// Returns bytes that `gzip` compressed, without the header and the end of its format.
    static func deflated(_ bytes: [UInt8], level: Int) throws -> [UInt8] {
        let folder = TestFolder()
        let path = folder.path + "/data"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Machine.path(of: "gzip")))
        process.arguments = ["-n", "-\(level)", path]
        try process.run()
        process.waitUntilExit()
        let file = Array(try Data(contentsOf: URL(fileURLWithPath: path + ".gz")))
        return Array(file[10..<(file.count - 8)])
    }

    @Test(
        "bytes that gzip compressed are decompressed unchanged, whatever the size of the blocks",
        .enabled(if: Machine.has("gzip")), arguments: Seeds.first(6, of: UInt64(1)...200))
    func gzip(seed: UInt64) throws {
        let bytes = Self.sample(seed, [0, 1, 300, 40_000, 200_000][Int(seed % 5)])
        let compressed = try Self.deflated(bytes, level: [1, 6, 9][Int(seed % 3)])
        for size in [Int.max, 1, 7, 4_096] {
            #expect(try Self.inflated(compressed, blockSize: size) == bytes)
        }
    }

    @Test("every truncated stream is an error", .enabled(if: Machine.has("gzip")))
    func truncated() throws {
        let compressed = try Self.deflated(Self.sample(7, 3_000), level: 6)
        for count in stride(from: 0, to: compressed.count, by: 7) {
            #expect(throws: ContainerError.self) { try Self.inflated(Array(compressed[..<count])) }
        }
    }

    @Test(
        "a changed stream is an error or has other bytes, and never exceeds its limit",
        arguments: Seeds.batches(of: 500, all: 100_000))
    func mutated(seed: UInt64) throws {
        let sink = ByteSink()
        var zip = ZipWriter { sink.bytes += $0 }
        try zip.add("a", Self.sample(3, 5_000))
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            var bytes = Array(sink.bytes[31...])
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            do { #expect(try Self.inflated(bytes, limit: 100_000).count <= 100_000) } catch is ContainerError {}
        }
    }

    /// The bits of a stream, from the first one to the last one, as a text of zeros and ones.
    static func bytes(bits: String) -> [UInt8] {
        let bits = bits.filter { $0 != " " }.map { $0 == "1" ? UInt8(1) : 0 }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(start + 8, bits.count)].reversed().reduce(0) { $0 << 1 | $1 }
        }
    }

    @Test(
        "violations of the format are errors with a message",
        arguments: [
            ("1 11", "the compressed data has a block of an unknown type"),
            // A stored block with different length and complement.
            ("1 00 00000 1000000000000000 1000000000000000", "the length of a stored block is invalid"),
            // The fixed code of the symbol 257 and the distance 1, at the beginning of the output.
            ("1 10 0000001 00000", "the compressed data refers to bytes before its beginning"),
            // The distance symbol 30.
            ("1 10 00110000 0000001 11110", "the compressed data contains an unknown code"),
            // The length symbol 286.
            ("1 10 11000110", "the compressed data contains an unknown code"),
            ("1 10 00110000", "the compressed data ends early"),
            ("", "the compressed data ends early"),
            // Too many symbols for literals.
            ("1 01 11111 00000 0000", "the compressed data has too many codes"),
            // Four code lengths of one bit.
            ("1 01 00000 00000 0000 100 100 100 100", "the compressed data has an over-subscribed code"),
            ("1 01 00000 00000 0000 100 000 000 000", "the compressed data has an incomplete code"),
            // The first symbol repeats a previous length: the codes 16 and 17 have one bit.
            (
                "1 01 00000 00000 0000 100 100 000 000 0 00",
                "the compressed data repeats a code length that does not exist"
            ),
            // 258 code lengths of zero.
            (
                "1 01 00000 00000 0000 000 100 100 000 1 1111111 1 1011011",
                "the compressed data has a block without an end"
            ),
        ])
    func violations(bits: String, expected: String) throws {
        #expect(try message { _ = try Self.inflated(Self.bytes(bits: bits)) } == expected)
    }

    @Test("more bytes than the limit are an error")
    func limit() throws {
        // A stored block with three bytes.
        let bytes: [UInt8] = [1, 3, 0, 0xFC, 0xFF, 1, 2, 3]
        #expect(try Self.inflated(bytes, limit: 3) == [1, 2, 3])
        #expect(
            try message { _ = try Self.inflated(bytes, limit: 2) }
                == "the compressed data has more bytes than its size of 2")
    }
}
