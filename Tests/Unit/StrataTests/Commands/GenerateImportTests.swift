import Foundation
import StrataTestSupport
import Testing

@Suite("Imports of generated datasets")
struct GenerateImportTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.reference.shell("strata \(line)", in: folder)
    }

    private static let counts = "--count Employee=80,Boss=10,Color=60,Item=60"

    private func digests(_ directory: String, _ format: String) throws -> String {
        let result = try Tool.reference.shell("cd \(directory) && sha256sum *.\(format) | grep -v manifest", in: folder)
        #expect(result.output.count(where: \.isNewline) == 4)
        return result.output
    }

    private static let formats: [String] = ["csv", "tsv", "json", "ndjson"]

    /// Each format with plain and hostile values; only one of the two, alternately, unless all cases run.
    static let cases: [(String, String)] = formats.enumerated().flatMap { number, format in
        let options = ["", "--hostile"]
        return (Seeds.areAll ? options : [options[number % 2]]).map { (format, $0) }
    }

    @Test("generated datasets, also with hostile values, can be imported in every format", arguments: cases)
    func roundTrip(format: String, hostile: String) throws {
        #expect(try strata("generate \(Self.counts) \(hostile) --format \(format) -o made -q").errors == "")
        let validation = try strata("validate made")
        validation.expect(status: 0)
        #expect(
            validation.errors
                == "would import 60 Color records from made/Color.\(format)\n"
                + "would import 10 Boss records from made/Boss.\(format)\n"
                + "would import 80 Employee records from made/Employee.\(format)\n"
                + "would import 60 Item records from made/Item.\(format)\n")
        #expect(try strata("import made --store s -q").errors == "")
        #expect(try strata("export --all --store s --format \(format) -o out -q").errors == "")
        #expect(try digests("out", format) == digests("made", format))
        #expect(try strata("generate \(Self.counts) \(hostile) --store filled -q").errors == "")
        #expect(try strata("export --all --store filled --format \(format) -o filled.out -q").errors == "")
        #expect(try digests("filled.out", format) == digests("made", format))
    }

    @Test("datasets with hostile values are converted unchanged between all formats")
    func hostile() throws {
        try folder.write("{\"hostile\": 1}", to: "d.json")
        for format in Self.formats {
            let line = "generate --description d.json \(Self.counts) --seed 11 --format \(format) -o \(format) -q"
            #expect(try strata(line).errors == "")
            try strata("validate \(format)").expect(status: 0)
        }
        for (number, from) in Self.formats.enumerated() {
            #expect(try strata("import \(from) --store \(from).s -q").errors == "")
            for to in Seeds.areAll ? Self.formats : [Self.formats[(number + 1) % Self.formats.count]] {
                #expect(try strata("export --all --store \(from).s --format \(to) -o \(from).\(to) -q").errors == "")
                #expect(try digests("\(from).\(to)", to) == digests(to, to), "\(from) to \(to)")
            }
        }
    }

    @Test("compressed and piped generated datasets can be imported", .needs("gzip"))
    func compressed() throws {
        #expect(try strata("generate --count Item=300 --hostile -o i.csv.gz -q").errors == "")
        #expect(try strata("import i.csv.gz --entity item --store s -q").errors == "")
        let piped = "generate --count Item=300 --hostile | strata import - --format csv --entity item --store t -q"
        #expect(try strata(piped).errors == "")
        let expected = try strata("generate --count Item=300 --hostile").output
        for store in ["s", "t"] { #expect(try strata("export --entity item --store \(store)").output == expected) }
    }

    @Test("an import of a generated directory reads only the files that the last generate command wrote")
    func formats() throws {
        try strata("generate --count Boss=5 --format json -o d -q").expect(status: 0)
        try strata("generate --count Boss=9 -o d -q").expect(status: 0)
        #expect(try strata("import d --store s").errors == "imported 9 Boss records from d/Boss.csv into s\n")
    }
}
