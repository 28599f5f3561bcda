import Foundation
import StrataTestSupport
import Testing

/// Tests that an import rejects a file that another process changes during the import.
@Suite("Files that change while they are read", .faultsSystemCalls)
struct ChangingFileTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String, faults: SystemFaults = SystemFaults()) throws -> Tool.Result {
        try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder, faults: faults)
    }

    /// Writes several input blocks: 1,500 records of 1,000 bytes.
    private func prepare() throws {
        let name = String(repeating: "n", count: 980)
        let rows = (1...1500).map { "\($0),\(name),b\n" }.joined()
        try folder.write("id,firstName,lastName\n" + rows, to: "g.csv")
    }

    private static let changes = [
        ": > g.csv", "truncate -s 700000 g.csv", "printf '2000,a,b\\n' >> g.csv", "head -c 1000000 /dev/zero >> g.csv",
        "touch -d @1000000000 g.csv",
    ]

    private func changing(_ command: String) -> SystemFaults {
        SystemFaults(.init(call: .read, path: "g.csv", number: 3, effect: .runsCommand), command: command)
    }

    @Test(
        "a file that changes while it is imported aborts the import, and nothing is stored",
        arguments: changes, ["", " --on-error reject"])
    func changed(command: String, options: String) throws {
        try prepare()
        let result = try strata("import g.csv --entity boss --store s" + options, faults: changing(command))
        result.expect(status: 65)
        #expect(
            result.errors.hasSuffix(
                "g.csv: the file changed while it was read; import the file again when no process writes to it\n"),
            "\(result.errors)")
        #expect(try !folder.files.contains("s"))
    }

    @Test("an import of a changing file stores only the rows that --commit-every committed")
    func onTheWay() throws {
        try prepare()
        let result = try strata(
            "import g.csv --entity boss --store s --commit-every 100", faults: changing(": > g.csv"))
        result.expect(status: 65)
        #expect(result.errors.contains("committed records are stored"))
        let rows = try strata("export --entity boss --store s --columns id --no-header").output.split(separator: "\n")
        #expect(rows.count < 1000 && rows.count % 100 == 0, "\(rows.count)")
    }

    @Test(
        "a file that is only read or moved during the import is imported",
        arguments: ["cat g.csv > /dev/null", "mv g.csv h.csv && echo new > g.csv"])
    func unchanged(command: String) throws {
        try prepare()
        try strata("import g.csv --entity boss --store s", faults: changing(command)).expect(status: 0)
    }

    @Test("changes of a compressed file and of standard input are detected", .needs("gzip"))
    func otherInputs() throws {
        try prepare()
        #expect(
            try Tool.reference.shell(
                "gzip -k g.csv && head -c 600000 /dev/urandom >> g.csv.gz; gzip -kc g.csv > g.csv.gz", in: folder
            ).status == 0)
        // The tool reads the file's beginning, and gzip reads the rest.
        let faults = SystemFaults(
            .init(call: .read, path: "pipe", number: 2, effect: .runsCommand), command: "touch -d @1000000000 g.csv.gz")
        let compressed = try strata("import g.csv.gz --entity boss --store s", faults: faults)
        compressed.expect(status: 65)
        #expect(compressed.errors.contains("the file changed while it was read"), "\(compressed.errors)")
        let input = try Tool.reference.run(
            ["import", "-", "--format", "csv", "--entity", "boss", "--store", "s"], in: folder,
            input: try folder.text("g.csv"),
            faults: SystemFaults(
                .init(call: .read, path: "/input", number: 3, effect: .runsCommand),
                command: "touch -d @1000000000 /proc/$PPID/fd/0"))
        input.expect(status: 65)
        #expect(input.errors.hasPrefix("<stdin>: the file changed while it was read"), "\(input.errors)")
    }
}
