import Foundation
import StrataTestSupport
import Testing

/// Tests that a store with a damaged schema exits 65 in every command and that the error names no record of the input.
@Suite("Stores with a damaged schema")
struct DamagedSchemaTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder)
    }

    private func prepare() throws -> Data {
        try folder.write("id,firstName,lastName\n1,a,b\n", to: "b.csv")
        try folder.write("firstName,lastName\nc,d\n", to: "c.csv")
        try strata("import b.csv --entity boss --store s").expect(status: 0)
        return try folder.data("s")
    }

    private static let commands = [
        "info --store s", "show --entity boss --store s", "export --entity boss --store s",
        "import c.csv --entity boss --store s", "validate c.csv --entity boss --store s",
        "delete --entity boss --all --store s",
    ]

    @Test(
        "every command exits 65 and names the missing part of a damaged schema", arguments: commands,
        [
            ("next INTEGER", "oext INTEGER", "the table strata_sequence has no column next"),
            ("value TEXT", "vblue TEXT", ""), ("tablestrata_sequence", "tablestrata_sequfnce", ""),
            ("TABLE \"Boss\"", "TABLE \"Bors\"", ""),
        ])
    func changed(command: String, change: (from: String, to: String, message: String)) throws {
        var data = try prepare()
        let place = try #require(data.range(of: Data(change.from.utf8)), "\(change.from)")
        data.replaceSubrange(place, with: Data(change.to.utf8))
        try data.write(to: URL(fileURLWithPath: folder.path("s")))
        let result = try strata(command)
        result.expect(status: 65)
        #expect(result.errors.hasPrefix(folder.path("s") + ": "), "\(result.errors)")
        #expect(change.message.isEmpty || result.errors.contains(change.message), "\(result.errors)")
        #expect(try folder.data("s") == data)
    }

    @Test(
        "a table that another program dropped is reported as a missing table, not as missing columns", .needs("sqlite3")
    )
    func dropped() throws {
        _ = try prepare()
        try Tool.reference.shell("sqlite3 s 'drop table Item'", in: folder).expect(status: 0)
        let result = try strata("info --store s")
        result.expect(status: 65)
        #expect(result.errors == "\(folder.path("s")): the table Item is missing; another program changed the store\n")
    }

    @Test("any flipped bit of the schema's page exits 65 or is harmless, and no error names a record of the input")
    func flipped() throws {
        let data = try prepare()
        let page = try #require(data.range(of: Data("CREATE TABLE".utf8))).lowerBound / 4096 * 4096
        let filled = (max(page, 100)..<page + 4096).filter { data[$0] != 0 }
        var generator = SeededGenerator(seed: 15)
        for round in 0..<Seeds.count(40, all: 400) {
            let place = try #require(filled.randomElement(using: &generator))
            let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
            var damaged = data
            damaged[place] ^= bit
            try damaged.write(to: URL(fileURLWithPath: folder.path("s")))
            for name in ["s-wal", "s-shm"] where try folder.files.contains(name) {
                try FileManager.default.removeItem(atPath: folder.path(name))
            }
            let command =
                round % 2 == 0 ? "export --entity boss --store s" : "import c.csv --entity boss --store s --quiet"
            let result = try strata(command)
            #expect(
                [0, 65].contains(result.status),
                "byte \(place), bit \(bit): \(command): \(result.status) \(result.errors)")
            #expect(!result.errors.contains("record 1"), "byte \(place), bit \(bit): \(result.errors)")
        }
    }
}
