import Foundation
import Testing

/// Columns whose names resemble those of attributes.
@Suite("Omitted columns and similar names")
struct MappingTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder)
    }

    private func bosses() throws -> String {
        try strata("export --entity boss --store s --no-header").output
    }

    private static let importing = "import in.csv --entity boss --store s"

    @Test("--map COLUMN=- omits a column of a table")
    func omitted() throws {
        try folder.write("ID,name,last_name,first name\nx1,whole,b,a\nx2,other,d,c\n", to: "in.csv")
        let result = try strata(Self.importing + " --map ID=- --map name=-")
        result.expect(status: 0)
        // Requested omissions are not reported.
        #expect(result.errors == "imported 2 Boss records from in.csv into s\n")
        #expect(try bosses() == "1,a,b\n2,c,d\n")
    }

    @Test("an explicit --map overrides a similar name")
    func explicit() throws {
        try folder.write("id,number,firstName,lastName\nz,7,a,b\n", to: "in.csv")
        let result = try strata(Self.importing + " --map number=id")
        result.expect(status: 65)
        #expect(
            result.errors == """
                in.csv:1: unknown column "id", because "number" is mapped to id
                Boss has id, firstName, lastName; rename a column with --map COLUMN=ATTRIBUTE, drop unknown ones with \
                --ignore-unknown-columns

                """)
        try strata(Self.importing + " --map number=id --map id=-").expect(status: 0)
        #expect(
            try strata(Self.importing + " --map number=id --ignore-unknown-columns --on-conflict ignore").errors
                .hasPrefix("ignored columns: id\n"))
        #expect(try bosses() == "7,a,b\n")
        // Two explicit mappings to one attribute are a conflict.
        let both = try strata(Self.importing + " --map number=id --map id=id")
        #expect(both.status == 65 && both.errors.contains("2 columns for id: \"id\", \"number\""), "\(both.errors)")
        #expect(both.errors.contains("leave one out with --map COLUMN=-"))
    }

    @Test("--map omits JSON keys and paths, or assigns them to other attributes")
    func documents() throws {
        try folder.write(
            """
            {"statuses": [
              {"id": 505874924095815681, "text": "t1", "user": {"id": 3, "name": "n1", "followers_count": 262}},
              {"text": "t2", "id": 505874922023837696, "user": {"id": 4, "name": "n2", "followers_count": 171}}
            ], "search_metadata": {"count": 2}}
            """, to: "in.json")
        let base =
            "import in.json --entity boss --store s --root statuses --map text=firstName --map user.name=lastName"
        let omitted = try strata(base + " --map id=- --map user.id=- --map user.followers_count=-")
        omitted.expect(status: 0)
        #expect(try bosses() == "1,t1,n1\n2,t2,n2\n")
        let mapped = try strata(base + " --map user.followers_count=id --ignore-unknown-columns")
        mapped.expect(status: 0)
        #expect(mapped.errors.hasPrefix("ignored columns: id, user.id\n"))
        #expect(try bosses().hasSuffix("171,t2,n2\n262,t1,n1\n"))
        let unsaid = try strata(base + " --map user.followers_count=id")
        unsaid.expect(status: 65)
        #expect(
            unsaid.errors.contains("unknown key \"id\", because \"user.followers_count\" is mapped to id"),
            "\(unsaid.errors)")
    }

    @Test("--map COLUMN=- with an unknown column is an error")
    func missing() throws {
        try folder.write("firstName,lastName\na,b\n", to: "in.csv")
        try folder.write("[{\"firstName\":\"a\",\"lastName\":\"b\"}]", to: "in.json")
        let table = try strata(Self.importing + " --map lastname=-")
        table.expect(status: 65)
        #expect(
            table.errors.hasPrefix(
                "in.csv:1: there is no column \"lastname\" to be left out (did you mean \"lastName\"?)"))
        let document = try strata("import in.json --entity boss --store s --map x=-")
        document.expect(status: 65)
        #expect(document.errors.hasPrefix("in.json: no record has a key \"x\" to be left out"), "\(document.errors)")
    }
}
