import Foundation
import StrataContainers
import StrataFiles
import StrataTestSupport
import Testing

@Suite("ZIP archives")
struct ZipTests {
    private let folder = TestFolder()

    private func contents(_ bytes: [UInt8], _ name: String) throws -> [UInt8] {
        let archive = try ZipArchive(try folder.file(bytes))
        return try archive.contents(of: try #require(archive.entry(named: name)), atMost: 1 << 26)
    }

    @Test(
        "entries are read as they were written, stored and compressed", arguments: Seeds.first(6, of: UInt64(1)...200))
    func roundTrip(seed: UInt64) throws {
        let samples = [0, 1, 3, 70_000, 400_000].map { InflateTests.sample(seed, $0) }
        let entries = samples.enumerated().map { ("folder/\($0).bin", $1) }
        for isDeflated in [true, false] {
            let bytes = try zipped(entries, isDeflated: isDeflated)
            for (name, sample) in entries { #expect(try contents(bytes, name) == sample) }
            #expect(try zipped(entries, isDeflated: isDeflated) == bytes)
        }
    }

    @Test("repeated texts are compressed")
    func compression() throws {
        let text = Array(String(repeating: "<c><v>17</v></c>", count: 10_000).utf8)
        #expect(try zipped([("a", text)]).count < text.count / 50)
    }

    @Test("other programs read the archives that were written", .enabled(if: Machine.has("unzip")))
    func otherPrograms() throws {
        let path = folder.path + "/a.zip"
        let bytes = try zipped([("a.txt", InflateTests.sample(5, 100_000)), ("é/b.txt", [1])])
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Machine.path(of: "unzip")))
        process.arguments = ["-tqq", path]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// Returns an archive with one stored entry `a` of the bytes `x`, after changes of bytes in its directory.
    private func changed(_ changes: [Int: UInt8]) throws -> [UInt8] {
        var bytes = try zipped([("a", [0x78])], isDeflated: false)
        // The header has 30 bytes, the name and the data one each, and the sizes after the data 16.
        for (offset, byte) in changes { bytes[48 + offset] = byte }
        return bytes
    }

    @Test("invalid archives are errors with a message")
    func violations() throws {
        let cases: [([Int: UInt8], String)] = [
            ([:], ""),
            ([0: 0], "the directory of the archive is invalid; the file is incomplete or damaged"),
            ([8: 9], "a: it is encrypted; remove the password, or decrypt the archive"),
            ([10: 12], "a: it is compressed by method 12, but only stored and deflated entries are supported"),
            ([16: 1], "a: its checksum differs; the file is damaged"),
            ([20: 0xFF, 21: 0xFF, 22: 0xFF, 23: 0xFF], "a: it is in the format ZIP64, which is not supported"),
            ([24: 0xFF, 25: 0xFF], "a: its size after decompression is not possible"),
            ([42: 200], "the directory of the archive is invalid; the file is incomplete or damaged"),
            ([57: 0xFF, 58: 0xFF, 55: 0xFF, 56: 0xFF], "the archive is in the format ZIP64, which is not supported"),
        ]
        for (changes, expected) in cases {
            let found = try message { _ = try contents(try changed(changes), "a") }
            #expect(found ?? "" == expected)
        }
        #expect(
            try message { _ = try contents(try zipped([("a", []), ("a", [])]), "a") }
                == "the archive has two entries with the same name")
    }

    @Test("a comment may follow the directory, and a file without a directory is an error")
    func end() throws {
        var bytes = try zipped([("a", [1, 2])])
        #expect(
            try message { _ = try contents(Array(bytes.dropLast(1)), "a") }
                == "the end of the archive is missing; the file is incomplete or damaged")
        bytes[bytes.count - 2] = 3
        #expect(try contents(bytes + [1, 2, 3], "a") == [1, 2])
    }

    @Test(
        "a changed archive is an error or has bytes within its limits, without a crash",
        arguments: Seeds.batches(of: 300, all: 50_000))
    func mutated(seed: UInt64) throws {
        let original = try zipped([("a", InflateTests.sample(1, 400)), ("b/c", [1, 2, 3])])
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
            }
            do {
                let archive = try ZipArchive(try folder.file(bytes))
                for entry in archive.entries { _ = try archive.contents(of: entry, atMost: 1 << 20) }
            } catch is ContainerError {}
        }
    }
}
