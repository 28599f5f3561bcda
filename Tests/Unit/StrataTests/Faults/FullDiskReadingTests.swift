import Foundation
import StrataTestSupport
import Testing

/// Tests that reading works without write access, and that a file size limit is an error instead of a signal.
@Suite("Full disks and file size limits")
struct FullDiskReadingTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String, faults: SystemFaults = SystemFaults()) throws -> Tool.Result {
        try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder, faults: faults)
    }

    private func prepare(rows: Int = 3) throws {
        let text = (1...rows).map { "\($0),a\($0),b\n" }.joined()
        try folder.write("id,firstName,lastName\n" + text, to: "b.csv")
        try strata("import b.csv --entity boss --store s").expect(status: 0)
    }

    private static let reading = [
        "info --store s", "show --entity boss --store s", "export --entity boss --store s",
        "export --all --store s -o all",
        "validate c.csv --entity boss --store s", "import c.csv --entity boss --store s --dry-run",
        "report --store s -o r.html", "check --store s",
    ]

    /// The calls that fail on a full disk.
    private static let growing: [SystemFaults.Call] = [.write, .create, .truncate]

    @Test(
        "a store is readable even if there is no space for the index of its log", .faultsSystemCalls,
        arguments: Seeds.spread(9, of: reading.flatMap { line in growing.map { (line, $0) } }))
    func noIndex(line: String, call: SystemFaults.Call) throws {
        try prepare()
        try folder.write("firstName,lastName\nc,d\n", to: "c.csv")
        let expected = try strata(line)
        try #require(expected.status == 0)
        let full = try strata(
            line, faults: SystemFaults(.init(call: call, path: "/s-shm", isOnward: true, effect: .fails(ENOSPC))))
        full.expect(status: 0)
        #expect(full.output == expected.output)
        #expect(try strata("export --entity boss --store s --no-header").output.split(separator: "\n").count == 3)
    }

    @Test("a store on a full disk is readable, and a write exits 74", .needsSmallDisk)
    func full() throws {
        try prepare(rows: 200)
        let expected = try strata("export --entity boss --store s").output
        let line =
            "cp s disk/s; dd if=/dev/zero of=disk/pad bs=1k 2>/dev/null; strata info --store disk/s >/dev/null || exit 1; "
            + "strata show --entity boss --store disk/s >/dev/null || exit 2; strata export --entity boss --store disk/s || exit 3; "
            + "strata validate b.csv --entity boss --store disk/s --on-conflict ignore --quiet || exit 4; "
            + "[ \"$(strata check --store disk/s)\" = ok ] || exit 6; "
            + "strata update --entity boss --set \"lastName = 'z'\" --all --store disk/s; [ $? = 74 ] || exit 5"
        let result = try SmallDisk.run(kilobytes: 1024, line, in: folder)
        result.expect(status: 0)
        #expect(result.output == expected)
    }

    /// Creates a workbook and databases of another program, whose rows need more than the small disk.
    private func prepareForeign() throws {
        let rows = (1...20_000).map { "\($0),text \($0)\n" }.joined()
        try folder.write("id,t\n" + rows, to: "x.csv")
        try Tool.debug.shell("strata export x.csv -o x.xlsx -q", in: folder).expect(status: 0)
        try folder.write(
            "CREATE TABLE x (id INTEGER PRIMARY KEY, t TEXT); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                + "FROM n WHERE i < 20000) INSERT INTO x SELECT i, 'text ' || i FROM n;", to: "f.sql")
        try Tool.debug.shell("sqlite3 f.db < f.sql", in: folder).expect(status: 0)
        // A database with a log and without its index is copied before it is read.
        try FileManager.default.copyItem(atPath: folder.path("f.db"), toPath: folder.path("w.db"))
        try Data([UInt8](repeating: 1, count: 64)).write(to: URL(fileURLWithPath: folder.path("w.db-wal")))
    }

    private static let foreign = [
        "query --store f.db --select 'count()'", "copy --store f.db --to new.sqlite", "show --store w.db",
        "query x.xlsx --select 'count()'", "export x.xlsx -o new.csv", "stats x.xlsx",
    ]

    @Test(
        "if there is no space for a temporary store of a database or workbook, the command exits 74 and leaves nothing",
        .needsSmallDisk, .needs("sqlite3"), arguments: foreign)
    func fullTemporaryFolder(line: String) throws {
        try prepareForeign()
        let before = try folder.files
        let result = try SmallDisk.run(
            kilobytes: 128, "TMPDIR=$PWD/disk '\(Tool.debug.path)' \(line); echo $?; ls -A disk", in: folder)
        #expect(result.output == "74\n", "\(result.errors)")
        #expect(result.errors.hasPrefix(folder.url.path + "/disk: a temporary store cannot be written: "))
        #expect(result.errors.hasSuffix("; set TMPDIR to a directory with more space\n"), "\(result.errors)")
        #expect(try folder.files == (before + ["disk"]).sorted())
    }

    @Test(
        "if a temporary store of a database or workbook cannot grow, the command exits 74 and leaves nothing",
        .enabled(
            if: !Machine.hasThreadSanitizer, "the sanitizer keeps its own files below the limit too, and dies of it"),
        .needs("sqlite3"), arguments: foreign)
    func limitedTemporaryFolder(line: String) throws {
        try prepareForeign()
        let before = try folder.files
        let result = try Tool.debug.shell(
            "mkdir t; ulimit -f 64; TMPDIR=$PWD/t strata \(line); echo $?; ls -A t", in: folder)
        #expect(result.output == "74\n", "\(result.errors)")
        #expect(result.errors.contains("cannot be written: "), "\(result.errors)")
        #expect(try folder.files == (before + ["t"]).sorted())
    }

    @Test(
        "a file that cannot grow is a write error, not a signal",
        .enabled(
            if: !Machine.hasThreadSanitizer, "the sanitizer keeps its own files below the limit too, and dies of it"))
    func limited() throws {
        try prepare(rows: 8000)
        for (line, status) in [
            ("export --entity boss --store s -o x.csv", 74), ("import b.csv --entity boss --store new", 74),
            ("generate --entity boss --count 8000 -o x.csv", 74), ("export --entity boss --store s -o x.csv.gz", 0),
        ] {
            let result = try Tool.reference.shell("ulimit -f 64; strata \(line)", in: folder)
            #expect(result.status == Int32(status), "\(result.errors)")
            #expect(
                status == 0 || line.hasPrefix("import") || result.errors.contains("File too large"), "\(result.errors)")
        }
        #expect(try folder.files == ["b.csv", "s", "x.csv.gz"])
    }
}
