import Foundation
import Testing

@Suite("Outputs of generate")
struct GenerateOutputTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.reference.shell("strata generate \(line)", in: folder)
    }

    private static let boss = "id,firstName,lastName\n1,Halil,Karakuş\n2,Błażej,Wójcik\n"

    @Test(
        "generate writes a single entity to standard output; --entity and --count accept its name in any case",
        arguments: [
            "--count Boss=2", "--count boss=2 -o -", "--entity BOSS --count 2", "--entity boss --count BOSS=2",
            "--entity boss --count Employee=5,boss=2", "--count ' boss=2'", "--count Boss=2 --format CSV",
            "--entity boss --count item=1 --count boss=2 --count=color=3", "--count Boss=2 --dataset-version 1",
            "--count Boss=2 --reference-date 2020-01-01", "--count Boss=2 --seed 42", "--count Boss=2 --seed 042",
            "--count Boss=2 --threads 64",
        ])
    func standardOutput(line: String) throws {
        let result = try strata(line)
        #expect(result.output == Self.boss)
        #expect(result.errors == "")
        result.expect(status: 0)
        #expect(try folder.files == [])
    }

    @Test("generate can write to a device and to a named pipe")
    func devices() throws {
        #expect(try strata("--count Boss=2 -o /dev/stdout -q | cat").output == Self.boss)
        #expect(try strata("--count Boss=2 -o /dev/null").errors == "generated 2 Boss records to /dev/null\n")
        let pipe = try Tool.reference.shell(
            "mkfifo p; cat p & strata generate --count Boss=2 -o p -q; wait", in: folder)
        #expect(pipe.output == Self.boss && pipe.errors == "")
        #expect(try folder.files == ["p"])
    }

    @Test("any row count, including 0, generates a valid dataset of the format")
    func none() throws {
        #expect(try strata("--count Boss=0").output == "id,firstName,lastName\n")
        #expect(try strata("--count Boss=0 --format tsv").output == "id\tfirstName\tlastName\n")
        #expect(try strata("--count Boss=0 --format json").output == "[]\n")
        #expect(try strata("--count Boss=0 --format ndjson").output == "")
        let one = try strata("--count Boss=1 --format ndjson").output
        #expect(one == "{\"id\":1,\"firstName\":\"Halil\",\"lastName\":\"Karakuş\"}\n")
    }

    @Test("the smallest and the greatest seed are valid and generate different rows")
    func seeds() throws {
        let rows = try ["0", "18446744073709551615", "18446744073709551614"].map {
            try strata("--count Boss=50 --seed \($0)").output
        }
        #expect(Set(rows).count == 3)
        for text in rows { #expect(text.split(separator: "\n").count == 51) }
    }

    @Test(
        "the extension of the output file selects the format if --format is missing",
        arguments: [
            ("b.csv", ""), ("b.tsv", "--format tsv"), ("b.tab", "--format tsv"), ("b.json", "--format json"),
            ("b.JSON", "--format json"), ("b.ndjson", "--format ndjson"), ("b.jsonl", "--format ndjson"),
        ])
    func endings(file: String, format: String) throws {
        let expected = try strata("--count Boss=20 \(format)").output
        let result = try strata("--count Boss=20 -o \(file)")
        #expect(result.errors == "generated 20 Boss records to \(file)\n")
        #expect(result.output == "")
        #expect(try folder.text(file) == expected)
        #expect(try folder.files == [file])
    }

    @Test("a gzip output contains the same rows", .needs("gzip"))
    func gzip() throws { try expectCompressed("gz", by: "gzip") }

    @Test("a zstd output contains the same rows", .needs("zstd"))
    func zstd() throws { try expectCompressed("zst", by: "zstd") }

    private func expectCompressed(_ ending: String, by program: String) throws {
        #expect(try strata("--count Boss=2 -o b.csv.\(ending) -q").errors == "")
        let text = try Tool.reference.shell("\(program) -dc < b.csv.\(ending)", in: folder)
        #expect(text.output == Self.boss)
        #expect(try folder.files == ["b.csv.\(ending)"])
    }

    @Test(
        "an output directory contains a file for each entity and a manifest",
        arguments: ["csv", "tsv", "json", "ndjson"])
    func directory(format: String) throws {
        let result = try strata("--count Employee=50,Boss=3,Color=20,Item=0 -o fixtures/ --format \(format) -v")
        #expect(result.output == "")
        #expect(
            result.errors
                == "20 Color records\n3 Boss records\n50 Employee records\n0 Item records\n"
                + "generated 73 records of 4 entities to fixtures/\n")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("fixtures")).sorted()
        #expect(files == ["Boss", "Color", "Employee", "Item"].map { "\($0).\(format)" } + ["manifest.json"])
        let counts = "--count Employee=50,Boss=3 --entity Employee --format \(format)"
        #expect(try strata(counts).output == folder.text("fixtures/Employee.\(format)"))
        try strata("--check fixtures").expect(status: 0)
    }

    @Test("only entities with a count are generated, and an output name without extension is a directory")
    func oneInDirectory() throws {
        #expect(try strata("--count Boss=2 -o d").errors == "generated 2 records of 1 entity to d\n")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("d")).sorted()
        #expect(files == ["Boss.csv", "manifest.json"])
        #expect(try folder.text("d/Boss.csv") == Self.boss)
        try FileManager.default.createDirectory(atPath: folder.path("e.csv"), withIntermediateDirectories: false)
        try strata("-o e.csv -q").expect(status: 0)
        try strata("--check e.csv").expect(status: 0)
    }

    @Test("generating again replaces the generated files of a directory and leaves other files unchanged")
    func existing() throws {
        try strata("--count Boss=200 -o d").expect(status: 0)
        try folder.write("mine", to: "d/notes.txt")
        try folder.write("mine", to: "d/Color.csv")
        try strata("--count Boss=2 -o d").expect(status: 0)
        #expect(try folder.text("d/notes.txt") == "mine")
        #expect(try folder.text("d/Color.csv") == "mine")
        #expect(try folder.text("d/Boss.csv") == Self.boss)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("d")).sorted()
        #expect(files == ["Boss.csv", "Color.csv", "manifest.json", "notes.txt"])
    }

    @Test("a generated employee references a described boss, or none if there are no bosses")
    func references() throws {
        func bosses(_ line: String) throws -> Set<Substring> {
            let rows = try strata(line).output.split(separator: "\n").dropFirst()
            return Set(rows.map { $0.split(separator: ",", omittingEmptySubsequences: false)[5] })
        }
        let some = try bosses("--entity employee --count Employee=500,Boss=7")
        #expect(some == Set(["", "1", "2", "3", "4", "5", "6", "7"]))
        #expect(try bosses("--entity employee --count 500") == [""])
        #expect(try bosses("--entity employee --count Employee=50,Boss=0") == [""])
        #expect(try bosses("--entity employee").count == 21)
    }

    @Test("generated dates are before the reference date")
    func referenceDate() throws {
        let rows = try strata("--count Color=300 --reference-date 2011-01-01T12:00:00Z").output.split(separator: "\n")
        for row in rows.dropFirst() {
            let date = try #require(row.split(separator: ",", omittingEmptySubsequences: false).last)
            #expect(date >= "2010-01-01T00:00:00Z" && date < "2011-01-01T12:00:00Z")
        }
        let early = try strata("--count Color=3 --reference-date 2000-01-01")
        early.expect(status: 65)
        #expect(early.output == "")
        #expect(early.errors.hasPrefix("strata: Color.dateCreated: there is no date from "))
    }
}
