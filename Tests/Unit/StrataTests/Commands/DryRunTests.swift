import Foundation
import StrataPersistence
import StrataRepositories
import StrataStoreKit
import StrataTestSupport
import Testing

/// Dry runs, which do not wait for other processes.
@Suite("Dry runs concurrent with other processes")
struct DryRunTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder)
    }

    private func prepare() throws {
        try folder.write("id,firstName,lastName\n1,a,b\n2,c,d\n", to: "b.csv")
        try folder.write("id,firstName,lastName\n2,e,f\n3,g,h\n", to: "c.csv")
        try strata("import b.csv --entity boss --store s").expect(status: 0)
    }

    @Test(
        "a dry run compares records only with committed rows while another process writes the store",
        arguments: ["validate", "import --dry-run"])
    func locked(command: String) throws {
        try prepare()
        let url = URL(fileURLWithPath: folder.path("s"))
        let container = try PersistentContainer(model: ReferenceModel.model(), .sqlite(at: url), mainQueue: .private)
        defer { try? container.close() }
        try container.batchInsert(into: "Boss") { inserter in
            try inserter.insert(id: 3, values: [.string("x"), .string("y")], location: RowLocation(line: 1, record: 1))
            // Rows that the other process has not committed do not exist.
            let update = try strata("\(command) c.csv --entity boss --store s --on-conflict update")
            update.expect(status: 0)
            #expect(update.errors == "would import 2 Boss records (1 of them updated) from c.csv into s\n")
            let abort = try strata("\(command) c.csv --entity boss --store s")
            abort.expect(status: 65)
            #expect(
                abort.errors.contains(
                    "c.csv:2: record 1, column id: the identifier 2 already belongs to another object"),
                "\(abort.errors)")
            // An import that writes waits for the lock.
            try strata("import c.csv --entity boss --store s --busy-timeout 0").expect(status: 75)
        }
    }

    @Test(
        "a dry run can use a store that is not writable, and changes nothing",
        arguments: ["validate", "import --dry-run"])
    func readOnly(command: String) throws {
        try prepare()
        let before = try folder.data("s")
        let unprivileged = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        try #require(chmod(folder.path("s"), 0o444) == 0 && chmod(folder.url.path, 0o555) == 0)
        defer { chmod(folder.url.path, 0o755) }
        let line = "\(unprivileged)\"\(Tool.debug.path)\" \(command) c.csv --entity boss --store s --on-conflict ignore"
        let result = try Tool.reference.shell(line, in: folder)
        result.expect(status: 0)
        #expect(result.errors == "would import 1 Boss record (1 ignored) from c.csv into s\n")
        #expect(try folder.data("s") == before)
        #expect(try folder.files == ["b.csv", "c.csv", "s"])
    }
}
