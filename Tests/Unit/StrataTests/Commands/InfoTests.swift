import Foundation
import StrataTestSupport
import Testing

/// Tests of `strata info --verbose` and of the warnings about SQLite's logs.
@Suite("strata info")
struct InfoTests {
    private let folder = TemporaryFolder()

    private func strata(_ words: String...) throws -> Tool.Result { try Tool.debug.run(words, in: folder) }

    /// Creates a store of one entity.
    private func prepare(_ store: String = "vault.sqlite") throws {
        try folder.write("id,name\n1,a\n2,b\n", to: "box.csv")
        try strata("import", "-q", "box.csv", "--store", store).expect(status: 0)
    }

    /// Returns the values of the lines with a name.
    private func values(_ name: String, of output: String) -> [String] {
        output.split(separator: "\n").filter { $0.hasPrefix(name + " ") }
            .map { $0.dropFirst(name.count).trimmingCharacters(in: .whitespaces) }
    }

    @Test("info --verbose adds the library and the log of a SQLite store")
    func verbose() throws {
        try prepare()
        let brief = try strata("info", "--store", "vault.sqlite")
        #expect(values("library", of: brief.output).isEmpty && values("log", of: brief.output).isEmpty)
        let full = try strata("info", "-v", "--store", "vault.sqlite")
        full.expect(status: 0)
        #expect(values("library", of: full.output).first?.wholeMatch(of: #/SQLite 3\.\d+\.\d+/#) != nil)
        #expect(values("log", of: full.output) == ["0 bytes, 0 of them not yet in the file"])
        #expect(values("reader", of: full.output).isEmpty)
    }

    @Test("info --verbose adds nothing for a store without a database library")
    func otherStores() throws {
        try prepare("vault.stxml")
        let brief = try strata("info", "--store", "vault.stxml")
        let full = try strata("info", "--verbose", "--store", "vault.stxml")
        full.expect(status: 0)
        #expect(full.output == brief.output)
    }

    #if os(Linux)
    @Test(
        "check warns about a faulty SQLite version if another process has the store open, and still exits 0",
        .needs("sqlite3"))
    func warnings() throws {
        try prepare()
        let alone = try strata("check", "--store", "vault.sqlite")
        alone.expect(status: 0)
        #expect(alone.output == "ok\n" && alone.errors == "")
        let holder = try Holder(of: folder.path("vault.sqlite"), "SELECT count(*) FROM sqlite_schema;")
        defer { holder.end() }
        let warnings = values("warning", of: try strata("info", "-v", "--store", "vault.sqlite").output)
            .map { "\($0); process \(holder.processID) (sqlite3) has the store open" }
        let text = try strata("check", "--store", "vault.sqlite")
        text.expect(status: 0)
        #expect(text.output == "ok\n")
        #expect(text.errors == warnings.map { "warning: \($0)\n" }.joined())
        let json = try strata("check", "--store", "vault.sqlite", "--format", "json")
        json.expect(status: 0)
        #expect(json.errors == "")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(object?["warnings"] as? [String] == warnings)
    }

    @Test("info --verbose names the process whose open transaction delays the checkpoint", .needs("sqlite3"))
    func reader() throws {
        try prepare()
        let holder = try Holder(of: folder.path("vault.sqlite"), "BEGIN; SELECT count(*) FROM sqlite_schema;")
        defer { holder.end() }
        try strata("update", "-q", "--entity", "box", "--set", "name = 'c'", "--store", "vault.sqlite", "--all")
            .expect(status: 0)
        let held = try strata("info", "-v", "--store", "vault.sqlite")
        held.expect(status: 0)
        let reader = try #require(values("reader", of: held.output).first)
        #expect(reader.hasPrefix("process \(holder.processID) (sqlite3) has held the log back for "), "\(reader)")
        #expect(values("log", of: held.output).first?.contains(" 0 of them") == false)
        holder.end()
        #expect(try values("reader", of: strata("info", "-v", "--store", "vault.sqlite").output).isEmpty)
    }

    @Test("no other process commits during a checkpoint", .faultsSystemCalls, .needs("sqlite3"))
    func exclusion() throws {
        try prepare()
        // Closing the store moves nothing while a second process has it open, so every sync of the files belongs to the
        // checkpoint.
        let holder = try Holder(of: folder.path("vault.sqlite"), "SELECT count(*) FROM sqlite_schema;")
        defer { holder.end() }
        let rows = (3...22).map { "\($0),\(String(repeating: "x", count: 1_000_000))\n" }
        try folder.write("id,name\n" + rows.joined(), to: "more.csv")
        let attempt =
            "sqlite3 \(folder.path("vault.sqlite")) 'PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK' "
            + ">> \(folder.path("attempts")) 2>&1; true"
        let result = try Tool.debug.run(
            ["import", "-q", "more.csv", "--entity", "box", "--store", "vault.sqlite"], in: folder,
            faults: SystemFaults(
                .init(call: .fsync, path: "vault.sqlite", isOnward: true, effect: .runsCommand), command: attempt))
        result.expect(status: 0)
        let attempts = try folder.text("attempts").split(separator: "\n").filter { $0 != "0" }
        // The log is synchronized before its pages are copied, and the store's file afterwards.
        #expect(attempts.count >= 2)
        #expect(attempts.allSatisfy { $0.contains("database is locked") }, "\(attempts)")
    }

    /// A process of the `sqlite3` shell that has run a statement and remains open.
    private final class Holder {
        private let process = Process()
        private let input = Pipe()

        init(of path: String, _ statement: String) throws {
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["sqlite3", path]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            try input.fileHandleForWriting.write(contentsOf: Data((statement + "\n").utf8))
            try #require(try output.fileHandleForReading.read(upToCount: 1)?.isEmpty == false)
        }

        var processID: Int32 { process.processIdentifier }

        func end() {
            // A second call finds the pipe closed.
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }
    #endif
}
