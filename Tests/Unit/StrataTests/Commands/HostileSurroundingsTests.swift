import Foundation
import Testing

/// Imports and exports that are killed, have no space or read damaged files: one error line, the documented status, and
/// no partial output.
@Suite("Hostile environments", .serialized)
struct HostileSurroundingsTests {
    /// More rows than a small disk or a pipe can hold.
    private static let rows = 8_000
    private let folder = TemporaryFolder()

    private func strata(_ arguments: [String]) throws -> Tool.Result { try Tool.reference.run(arguments, in: folder) }

    private func prepare(rows: Int = rows) throws {
        let file = ["--entity", "boss", "--count", "\(rows)", "--seed", "1", "--output", "b.csv"]
        try strata(["generate"] + file).expect(status: 0)
    }

    private static let importing = ["import", "b.csv", "--entity", "boss", "--store", "s", "--quiet"]

    private func export(_ store: String) throws -> String {
        let result = try strata(["export", "--entity", "boss", "--store", store])
        result.expect(status: 0)
        return result.output
    }

    /// Expects an error of one line without the trace of a crash.
    private func expectOneLine(_ result: Tool.Result, _ status: Int32, _ text: String) {
        result.expect(status: status)
        #expect(result.errors.hasSuffix("\n") && result.errors.count(where: \.isNewline) == 1, "\(result.errors)")
        #expect(result.errors.contains(text), "\(result.errors)")
    }

    @Test("an import with --commit-every, killed repeatedly, leaves whole batches, and --resume completes it")
    func resumed() throws {
        try prepare()
        let expected = try folder.text("b.csv")
        let arguments = Self.importing + ["--commit-every", "500", "--resume"]
        var (longest, rounds, killed, isComplete) = (60_000 as UInt32, 0, 0, false)
        // The delay grows until the import was killed at least once and then completed.
        while (!isComplete || killed == 0) && rounds < 200 {
            rounds += 1
            if isComplete { try FileManager.default.removeItem(atPath: folder.path("s")) }
            let running = try Tool.reference.start(arguments, in: folder)
            // The moment is the subject of the test, so this test depends on the clock.
            usleep(.random(in: 0...longest))
            longest = min(longest + longest / 4, 10_000_000)
            running.send(SIGKILL)
            let status = try running.wait().status
            isComplete = status != 128 + SIGKILL
            guard !isComplete else {
                #expect(status == 0)
                continue
            }
            killed += 1
            guard try folder.files.contains("s") else { continue }
            let info = try strata(["info", "--store", "s"])
            // A store that was killed before its creation is complete does not exist.
            guard info.status == 0 else { continue }
            let lines = try export("s").split(separator: "\n").dropFirst()
            #expect(lines.count % 500 == 0, "\(lines.count) rows")
            #expect(expected.hasPrefix("id,firstName,lastName\n" + lines.map { $0 + "\n" }.joined()))
        }
        #expect(isComplete && killed > 0)
        #expect(try export("s") == expected)
        #expect(try folder.files == ["b.csv", "s"])
    }

    @Test("a killed export leaves its target unchanged")
    func killedExport() throws {
        try prepare()
        try strata(Self.importing).expect(status: 0)
        try folder.write("before", to: "out.csv")
        var (rounds, killed) = (0, 0)
        while rounds < 6 || (killed == 0 && rounds < 200) {
            rounds += 1
            let running = try Tool.reference.start(
                ["export", "--entity", "boss", "--store", "s", "--output", "out.csv"], in: folder)
            usleep(.random(in: 0...100_000))
            running.send(SIGKILL)
            let isKilled = try running.wait().status == 128 + SIGKILL
            let text = try folder.text("out.csv")
            let isWhole = text == (try folder.text("b.csv"))
            // A kill between the rename and the end of the process leaves the whole new content.
            #expect(text == "before" || isWhole)
            if isKilled { killed += 1 }
            if isWhole { try folder.write("before", to: "out.csv") }
        }
        #expect(killed > 0)
    }

    /// Runs a line on a small disk and lists the disk's files in `left`.
    private func onSmallDisk(_ kilobytes: Int, _ line: String) throws -> Tool.Result {
        try SmallDisk.run(
            kilobytes: kilobytes, "\(line); status=$?; ls -A disk > left; exit $status", in: folder)
    }

    @Test(
        "a command on a full disk exits 74 with a message of one line and leaves no file", .needsSmallDisk,
        arguments: [
            "strata import b.csv --entity boss --store disk/s --quiet",
            "strata export --entity boss --store s --output disk/out.csv",
            "strata export --all --store s --output disk/all",
            "strata generate --entity boss --count 20000 --seed 1 --output disk/g.csv",
        ])
    func fullDisk(line: String) throws {
        try prepare()
        try strata(Self.importing).expect(status: 0)
        let result = try onSmallDisk(line.contains("import") ? 200 : 64, line)
        expectOneLine(result, 74, line.contains("import") ? "disk/s" : "No space left on device")
        #expect(try folder.text("left") == "")
        #expect(try export("s") == folder.text("b.csv"))
    }

    @Test(
        "an import fails and stores nothing if the disk is full for its rejects or report", .needsSmallDisk,
        arguments: ["rejects", "report"])
    func fullDiskForSecondFile(option: String) throws {
        try folder.write(
            "firstName,lastName\na,b\n" + (1...5000).map { "\($0),\"\"x\n" }.joined(), to: "bad.csv")
        let line = "strata import bad.csv --entity boss --store new --quiet --on-error reject --\(option) disk/r"
        let result = try onSmallDisk(64, line)
        result.expect(status: 74)
        #expect(result.errors.contains("No space left on device"))
        #expect(try folder.text("left") == "")
        #expect(try folder.files == ["bad.csv", "disk", "left"])
    }

    @Test("an import of a truncated gzip file exits 65 and stores nothing", .needs("gzip"))
    func truncatedGzip() throws { try expectRefusedWhenCutOff("gz", of: "gzip") }

    @Test("an import of a truncated zstd file exits 65 and stores nothing", .needs("zstd"))
    func truncatedZstd() throws { try expectRefusedWhenCutOff("zst", of: "zstd") }

    private func expectRefusedWhenCutOff(_ ending: String, of tool: String) throws {
        try prepare()
        let line = "\(tool) -c b.csv > whole.\(ending) 2>/dev/null && head -c 20000 whole.\(ending) > b.csv.\(ending)"
        try Tool.reference.shell(line, in: folder).expect(status: 0)
        let result = try strata(["import", "b.csv.\(ending)", "--entity", "boss", "--store", "s", "--quiet"])
        expectOneLine(result, 65, "b.csv.\(ending): ")
        #expect(result.errors.contains("\(tool) could not decompress the file"))
        #expect(try !folder.files.contains("s"))
    }

    @Test("an import whose decompression program is missing reports the name of the program")
    func noTool() throws {
        try Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]).write(to: URL(fileURLWithPath: folder.path("b.csv.gz")))
        let result = try Tool.reference.shell(
            "PATH=; \"\(Tool.debug.path)\" import --model reference b.csv.gz --entity boss --store s", in: folder)
        #expect(
            result.errors == "b.csv.gz: the file is compressed, but gzip is not installed; install gzip, or decompress "
                + "the file\n")
        #expect(result.status != 0)
        #expect(try folder.files == ["b.csv.gz"])
    }

    @Test("a store that another process has locked exits 75 with a message of one line", .needs("sqlite3"))
    func locked() throws {
        try prepare(rows: 10)
        try strata(Self.importing).expect(status: 0)
        let before = try export("s")
        let line =
            "mkfifo in; sqlite3 s < in > out & exec 3> in; "
            + "echo 'BEGIN EXCLUSIVE; SELECT 1;' >&3; until [ -s out ]; do sleep 0.01; done; "
            + "strata import b.csv --entity boss --store s --on-conflict ignore --busy-timeout 0; "
            + "status=$?; echo 'ROLLBACK;' >&3; exec 3>&-; wait; exit $status"
        let result = try Tool.reference.shell(line, in: folder)
        expectOneLine(result, 75, "locked")
        #expect(try export("s") == before)
    }

    @Test("an export to a folder that is not writable exits 73 or 77 and leaves the folder's file unchanged")
    func readOnlyFolder() throws {
        try prepare(rows: 10)
        try strata(Self.importing).expect(status: 0)
        try FileManager.default.createDirectory(atPath: folder.path("closed"), withIntermediateDirectories: false)
        try folder.write("before", to: "closed/out.csv")
        try #require(chmod(folder.path("closed"), 0o555) == 0 && chmod(folder.url.path, 0o777) == 0)
        defer { chmod(folder.path("closed"), 0o755) }
        // Root can write everywhere, so the tool runs as another user if the test runs as root.
        let unprivileged = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        let line = "\(unprivileged)\"\(Tool.debug.path)\" export --entity boss --store s --output closed/out.csv"
        let result = try Tool.reference.shell(line, in: folder)
        #expect(result.status == 73 || result.status == 77, "\(result.status) \(result.errors)")
        expectOneLine(result, result.status, "closed/out.csv")
        #expect(try folder.text("closed/out.csv") == "before")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("closed")) == ["out.csv"])
    }
}
