import Foundation
import Testing

@Suite("Interrupted generation", .serialized)
struct GenerateInterruptionTests {
    private let folder = TemporaryFolder()
    /// A row count too high to finish before the signal.
    private static let many = "--count Boss=3,Employee=50000000"
    private static let interrupted = "strata: interrupted; nothing was stored or replaced\n"

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.reference.shell("strata generate \(line)", in: folder)
    }

    private func files(_ directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(directory)).sorted()
    }

    /// A shell command that prints the paths of new files without a name that contain more than a few rows.
    ///
    /// Only files of the folder count: the tool also opens others, such as its libraries.
    private static let newFile = "find -L /proc/$tool/fd -size +1k -exec readlink {} + | grep \"^$PWD/.*(deleted)\""
    private static let newStore = "find s-wal -size +1k"

    /// Generates many rows until a condition is true and then sends a signal.
    private func end(_ output: String, when found: String, _ signal: Int32) throws -> Tool.Result {
        // Without set -m the shell's background processes ignore SIGINT. With it, the shell reports their ends.
        let line =
            "set -m; exec 4>&2 2>/dev/null; "
            + "\"\(Tool.debug.path)\" generate --model reference \(Self.many) \(output) 2>&4 & tool=$!; "
            + "until [ -n \"$(\(found))\" ]; do sleep 0.01; done; kill -\(signal) $tool; wait $tool"
        return try Tool.reference.shell(line, in: folder)
    }

    @Test(
        "an interrupted generation keeps the old dataset and leaves no other file",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(signal: Int32) throws {
        try strata("--count Boss=3,Employee=100 -o d -q").expect(status: 0)
        let before = try folder.data("d/Employee.csv")
        let result = try end("-o d", when: Self.newFile, signal)
        #expect(result.errors == Self.interrupted)
        result.expect(status: 130)
        #expect(try files("d") == ["Boss.csv", "Employee.csv", "manifest.json"])
        #expect(try folder.data("d/Employee.csv") == before)
        try strata("--check d").expect(status: 0)
    }

    @Test("an interrupted generation leaves no new directory, file or store")
    func new() throws {
        #expect(try end("-o d", when: Self.newFile, SIGINT).errors == Self.interrupted)
        #expect(try end("--entity employee -o e.csv", when: Self.newFile, SIGINT).errors == Self.interrupted)
        #expect(try end("--store s", when: Self.newStore, SIGINT).errors == Self.interrupted)
        #expect(try folder.files == [])
    }

    @Test("an interrupted generation leaves an existing store unchanged")
    func store() throws {
        try strata("--count Color=5 --store s -q").expect(status: 0)
        let before = try Tool.reference.shell("strata export --entity color --store s", in: folder).output
        let result = try end("--store s", when: Self.newStore, SIGINT)
        #expect(result.errors == Self.interrupted)
        result.expect(status: 130)
        #expect(try folder.files == ["s"])
        #expect(try Tool.reference.shell("strata export --entity color --store s", in: folder).output == before)
        let bosses = try Tool.reference.shell("strata export --entity boss --store s", in: folder).output
        #expect(bosses == "id,firstName,lastName\n")
    }

    @Test("a killed generation leaves the old dataset unchanged, and the next generation replaces the dataset")
    func killed() throws {
        try strata("--count Boss=3,Employee=100 -o d -q").expect(status: 0)
        let result = try end("-o d", when: Self.newFile, SIGKILL)
        result.expect(status: 128 + SIGKILL)
        #expect(try strata("--check d").errors == "2 files of d match the manifest\n")
        try strata("--count Boss=4,Employee=90 -o d -q").expect(status: 0)
        try strata("--check d").expect(status: 0)
    }

    @Test("an interrupted check reports the interruption")
    func check() throws {
        try strata("--count Boss=3 -o d -q").expect(status: 0)
        let manifest = try folder.text("d/manifest.json")
        try folder.write(
            manifest.replacingOccurrences(of: "\"count\": 3,", with: "\"count\": 900000000,"), to: "d/manifest.json")
        // The check is running once it has opened the file that it compares.
        let line =
            "set -m; exec 4>&2 2>/dev/null; \"\(Tool.debug.path)\" generate --check d 2>&4 & tool=$!; "
            + "until ls -l /proc/$tool/fd 2>/dev/null | grep -q Boss.csv; do sleep 0.01; done; kill -INT $tool; wait $tool"
        let result = try Tool.reference.shell(line, in: folder)
        result.expect(status: 130)
        #expect(result.errors == Self.interrupted)
    }
}
