import Foundation
import StrataTestSupport
import Testing

/// Tests that a killed tool leaves no temporary file, or that the next run with the same output removes it.
@Suite("Temporary files after a kill", .faultsSystemCalls)
struct TemporaryFileTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String, faults: SystemFaults = SystemFaults()) throws -> Tool.Result {
        try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder, faults: faults)
    }

    private func names(_ path: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(path)).sorted()
    }

    private func prepare() throws {
        try folder.write("id,firstName,lastName\n1,a,b\n", to: "b.csv")
        try strata("import b.csv --entity boss --store s --quiet").expect(status: 0)
    }

    /// Commands that write files of the tool itself, without those of SQLite.
    private static let commands: [(line: String, output: String)] = [
        ("export --entity boss --store s -o out.csv", "out.csv"),
        ("export --entity boss --store s -o out.csv.gz", "out.csv.gz"),
        ("export --all --store s -o all", "all"), ("generate --entity boss --count 9 -o out.csv", "out.csv"),
        ("report --store s -o out.html", "out.html"),
    ]

    @Test("a tool killed before any system call leaves no temporary file", arguments: commands)
    func unnamed(line: String, output: String) throws {
        try prepare()
        try strata(line, faults: SystemFaults(log: "log")).expect(status: 0)
        let calls = try folder.text("log").split(separator: "\n").count
        try FileManager.default.removeItem(atPath: folder.path("log"))
        let isDirectory = output == "all"
        let expected = try names()
        let inside = isDirectory ? try names("all") : []
        // Each call is tested with an existing and with a new output.
        for isNew in [false, true] {
            for number in Seeds.areAll ? Array(1...calls) : Array(max(1, calls - 3)...calls) {
                if isNew, FileManager.default.fileExists(atPath: folder.path(output)) {
                    try FileManager.default.removeItem(atPath: folder.path(output))
                }
                _ = try strata(line, faults: SystemFaults(.init(call: .any, number: number, effect: .kills)))
                let left = try names().filter { !["s-shm", "s-wal"].contains($0) }
                var others = left.filter { !expected.contains($0) }
                if isDirectory, left.contains("all") {
                    others += try names("all").filter { !inside.contains($0) }.map { "all/\($0)" }
                }
                // While a file is replaced, it has a temporary name for a moment; the next run removes that file.
                #expect(
                    others.isEmpty || !isNew && others.count == 1 && others[0].contains(".strata-"),
                    "call \(number): \(others)")
                for other in others { try FileManager.default.removeItem(atPath: folder.path(other)) }
            }
        }
        try strata(line).expect(status: 0)
        #expect(try names().filter { !["s-shm", "s-wal"].contains($0) } == expected)
        if isDirectory { #expect(try names("all") == inside) }
    }

    @Test(
        "the next run with the same output removes the temporary file of a killed run", arguments: commands)
    func named(line: String, output: String) throws {
        try prepare()
        try strata(line, faults: SystemFaults(.unnamedFiles, log: "log")).expect(status: 0)
        let place = output == "all" ? "all" : ""
        let expected = try names(place).filter { $0 != "log" }
        let calls = try folder.text("log").split(separator: "\n")
        let first = try #require(calls.firstIndex { $0.hasPrefix("fsync") && $0.contains(".strata-") }) + 1
        let killed = try strata(
            line, faults: SystemFaults(.unnamedFiles, .init(call: .fsync, path: ".strata-", effect: .kills)))
        try #require(killed.status == 128 + SIGKILL && first > 0)
        #expect(try names(place).contains { $0.contains(".strata-") })
        try strata(line, faults: SystemFaults(.unnamedFiles)).expect(status: 0)
        #expect(
            try names(place).filter { !["log", "s-shm", "s-wal"].contains($0) }
                == expected.filter { !["s-shm", "s-wal"].contains($0) })
    }

    @Test("an export does not remove the temporary file of another running export")
    func underWay() throws {
        try prepare()
        let second = "\"\(Tool.debug.path)\" export --entity boss --store s -o out.csv"
        // A second run with the same output begins and ends before the first run renames its file.
        let result = try strata(
            "export --entity boss --store s -o out.csv",
            faults: SystemFaults(
                .unnamedFiles, .init(call: .fsync, path: ".strata-", effect: .runsCommand),
                command: "env -u STRATA_FAULTS \(second)"))
        result.expect(status: 0)
        #expect(try folder.text("out.csv") == "id,firstName,lastName\n1,a,b\n")
        #expect(try !names().contains { $0.contains(".strata-") })
    }

    @Test("a dry run removes the store copy of a killed dry run, but not of a running dry run")
    func copies() throws {
        try prepare()
        try folder.write("firstName,lastName\nc,d\n", to: "c.csv")
        try FileManager.default.createDirectory(atPath: folder.path("temporary"), withIntermediateDirectories: false)
        // If the store's log cannot be created, the tool writes a copy.
        let noLog = SystemFaults.Rule(call: .create, path: "/s-", isOnward: true, effect: .fails(ENOSPC))
        func dryRun(_ rules: SystemFaults.Rule...) throws -> Tool.Result {
            var faults = SystemFaults()
            faults.rules = [noLog] + rules
            return try Tool(path: "/usr/bin/env").run(
                [
                    "TMPDIR=\(folder.path("temporary"))", Tool.debug.path, "import", "c.csv", "--entity", "boss",
                    "--store", "s", "--dry-run",
                ], in: folder, faults: faults)
        }
        let killed = try dryRun(.init(call: .write, path: "copy.sqlite", number: 3, effect: .kills))
        killed.expect(status: 128 + SIGKILL)
        let left = try #require(try names("temporary").first)
        let whole = try dryRun()
        whole.expect(status: 0)
        #expect(try names("temporary") == [])
        let held = folder.path("temporary/\(left)")
        try FileManager.default.createDirectory(atPath: held, withIntermediateDirectories: false)
        let descriptor = open(held, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        try dryRun().expect(status: 0)
        #expect(try names("temporary") == [left])
    }
}
