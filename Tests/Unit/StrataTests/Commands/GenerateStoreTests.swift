import Foundation
import Testing

@Suite("Stores filled by generate")
struct GenerateStoreTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.reference.shell("strata \(line)", in: folder)
    }

    private func export(_ store: String) throws -> [String] {
        try ["Color", "Boss", "Employee", "Item"].map {
            let result = try strata("export --entity \($0) --store \(store)")
            result.expect(status: 0)
            return result.output
        }
    }

    private static let counts = "--count Employee=300,Boss=10,Color=100,Item=40"

    @Test(
        "generate fills a new store with the rows of the datasets, including hostile values",
        arguments: ["", " --hostile"])
    func new(hostile: String) throws {
        let filling = try strata("generate \(Self.counts)\(hostile) --store s -v")
        #expect(
            filling.errors
                == "100 Color records\n10 Boss records\n300 Employee records\n40 Item records\n"
                + "generated 450 records of 4 entities into s\n")
        #expect(filling.status == 0 && filling.output == "")
        #expect(try folder.files == ["s"])
        try strata("generate \(Self.counts)\(hostile) -o d -q").expect(status: 0)
        #expect(try export("s") == ["Color", "Boss", "Employee", "Item"].map { try folder.text("d/\($0).csv") })
    }

    @Test("generated rows are added to the rows of an existing store")
    func besides() throws {
        #expect(try strata("generate --count Boss=3 --store s -q").errors == "")
        #expect(try strata("generate --count Color=2 --store s").errors == "generated 2 records of 1 entity into s\n")
        let rows = try export("s")
        #expect(rows[0] == (try strata("generate --count Color=2").output))
        #expect(rows[1] == (try strata("generate --count Boss=3").output))
        let more = "id,firstName,lastName\n100,Ada,Ito\n"
        try folder.write(more, to: "b.csv")
        try strata("import b.csv --entity boss --store t").expect(status: 0)
        try strata("generate --count Boss=99 --store t").expect(status: 0)
        #expect(try export("t")[1].hasSuffix("\n100,Ada,Ito\n"))
    }

    @Test("a generated identifier that exists already is reported, and nothing is stored")
    func conflict() throws {
        try folder.write("id,firstName,lastName\n10,Ada,Ito\n", to: "b.csv")
        try strata("import b.csv --entity boss --store s").expect(status: 0)
        let before = try export("s")
        let result = try strata("generate \(Self.counts) --store s")
        #expect(
            result.errors
                == "\(folder.path("s")): Boss.id: the identifier 10 already belongs to another object; generated rows "
                + "are numbered from 1, so use a store without Boss records\n")
        result.expect(status: 65)
        #expect(try export("s") == before)
        #expect(try folder.files == ["b.csv", "s"])
    }

    @Test("a generated unique value that exists already is reported, and nothing is stored")
    func uniqueValue() throws {
        let lines = try strata("generate --count Item=1").output.split(separator: "\n")
        try folder.write("\(lines[0])\n77\(lines[1].dropFirst())\n", to: "i.csv")
        try strata("import i.csv --entity item --store s").expect(status: 0)
        let before = try export("s")
        let result = try strata("generate --count Color=5,Item=5 --store s")
        result.expect(status: 65)
        #expect(result.errors.hasPrefix("\(folder.path("s")): Item.itemId: "), "\(result.errors)")
        #expect(result.errors.hasSuffix("; generated rows are numbered from 1, so use a store without Item records\n"))
        #expect(try export("s") == before)
    }

    @Test("generating into a foreign file exits 65 and leaves the file unchanged")
    func foreign() throws {
        try folder.write(String(repeating: "no database ", count: 20), to: "text")
        let result = try strata("generate --count Boss=1 --store text")
        result.expect(status: 65)
        #expect(result.errors == "\(folder.path("text")): this is not a SQLite database\n")
        #expect(try folder.text("text") == String(repeating: "no database ", count: 20))
    }

    @Test(
        "generating into a store that another process has locked exits 75 with a message of one line",
        .needs("sqlite3"))
    func locked() throws {
        try strata("generate --count Boss=3 --store s -q").expect(status: 0)
        let line =
            "mkfifo in; sqlite3 s < in > out & exec 3> in; echo 'BEGIN EXCLUSIVE; SELECT 1;' >&3; until [ -s out ]; do sleep 0.01; done; "
            + "strata generate --count Color=3 --store s --busy-timeout 0; "
            + "status=$?; echo 'ROLLBACK;' >&3; exec 3>&-; wait; exit $status"
        let result = try Tool.reference.shell(line, in: folder)
        result.expect(status: 75)
        #expect(result.errors.hasPrefix("\(folder.path("s")): another process or connection has held the store locked"))
        #expect(result.errors.count(where: \.isNewline) == 1)
        #expect(try export("s")[0] == "id,hex,name,dateCreated\n")
    }

    @Test("generating a store on a full disk exits 74 and leaves no new store", .needsSmallDisk)
    func fullDisk() throws {
        let line = "strata generate --count Boss=20000 --store disk/s; status=$?; ls -A disk; exit $status"
        let result = try SmallDisk.run(kilobytes: 256, line, in: folder)
        result.expect(status: 74)
        #expect(result.errors.hasPrefix("\(folder.path("disk/s")): ") && result.errors.count(where: \.isNewline) == 1)
        #expect(result.output == "")
    }

    @Test("generate with an invalid description creates no store")
    func unsatisfiable() throws {
        try folder.write("{\"entities\": {\"Color\": {\"count\": -1}}}", to: "d.json")
        let result = try strata("generate --description d.json --store s")
        #expect(result.errors == "d.json:1:34: Color: \"count\" must be a whole number from 0 to 1000000000\n")
        result.expect(status: 65)
        #expect(try folder.files == ["d.json"])
    }
}
