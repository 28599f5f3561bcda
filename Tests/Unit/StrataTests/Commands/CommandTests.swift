import Foundation
import Testing

@testable import strata

@Suite("Commands")
struct CommandTests {
    private let folder = TemporaryFolder()

    private func strata(_ arguments: String..., input: String? = nil) throws -> Tool.Result {
        try Tool.reference.run(arguments, in: folder, input: input)
    }

    @Test("column names match regardless of case, _, - and spaces, and bossId also matches boss")
    func columnNames() throws {
        try folder.write("ID,first name,LAST-NAME\n5,a,b\n", to: "b.csv")
        try strata("import", "b.csv", "--entity", "BOSS", "--store", "s").expect(status: 0)
        for column in ["boss", "bossId", "boss_id", "Boss ID"] {
            let csv = "firstName,lastName,salary,\(column),dateHired\na,b,1,5,2020-01-02\n"
            let result = try strata(
                "import", "-", "--format", "csv", "--entity", "Employee", "--store", "s", input: csv)
            #expect(
                result.errors
                    == "standard input: column dateHired: 1 cell will be exported differently, first \"2020-01-02\" in line 2 as "
                    + "\"2020-01-02T00:00:00Z\"\nimported 1 Employee record from standard input into s\n")
        }
        let rows = try strata("export", "--entity", "Employee", "--store", "s").output
        #expect(
            rows == "id,firstName,lastName,salary,dateHired,boss\n"
                + (1...4).map { "\($0),a,b,1,2020-01-02T00:00:00Z,5\n" }.joined())
    }

    @Test("an unquoted empty field is null and a quoted empty field is an empty string, in imports and exports")
    func nulls() throws {
        try folder.write("hex,name,dateCreated\n#111,,2001-01-01\n#222,\"\",2001-01-01\n", to: "c.csv")
        try strata("import", "c.csv", "--entity", "color", "--store", "s").expect(status: 0)
        let csv = try strata("export", "--entity", "color", "--store", "s").output
        #expect(
            csv == "id,hex,name,dateCreated\n1,#111111,,2001-01-01T00:00:00Z\n2,#222222,\"\",2001-01-01T00:00:00Z\n")
        let json = try strata("export", "--entity", "color", "--store", "s", "--format", "json").output
        #expect(
            json == """
                [
                {"id":1,"hex":"#111111","name":null,"dateCreated":"2001-01-01T00:00:00Z"},
                {"id":2,"hex":"#222222","name":"","dateCreated":"2001-01-01T00:00:00Z"}
                ]

                """)
    }

    @Test("a missing column gets its default, and records without ids are numbered as they occur in the input")
    func defaults() throws {
        let json = #"[{"name":"a","unitCost":1,"unitPrice":2.5},{"name":"b","unitCost":1.10,"unitPrice":100.1}]"#
        #expect(
            try strata("import", "-", "--format", "json", "--entity", "item", "--store", "s", input: json).status == 0)
        let lines = try strata("export", "--entity", "item", "--store", "s").output.split(separator: "\n")
        let fields = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(fields[0] == ["id", "itemId", "dateCreated", "name", "unitCost", "unitPrice", "stockCount"])
        #expect(fields[1][3...] == ["a", "1.00", "2.50", "0"] && fields[1][0] == "1")
        #expect(fields[2][3...] == ["b", "1.10", "100.10", "0"] && fields[2][0] == "2")
        #expect(fields[1][1] != fields[2][1] && UUID(uuidString: String(fields[1][1])) != nil)
    }

    @Test("new ids follow the greatest id of an earlier import")
    func identifiers() throws {
        try folder.write("id,firstName,lastName\n41,a,b\n", to: "1.csv")
        try folder.write("firstName,lastName\nc,d\n", to: "2.csv")
        try strata("import", "1.csv", "--entity", "boss", "--store", "s").expect(status: 0)
        try strata("import", "2.csv", "--entity", "boss", "--store", "s").expect(status: 0)
        #expect(
            try strata("export", "--entity", "boss", "--store", "s").output == "id,firstName,lastName\n41,a,b\n42,c,d\n"
        )
    }

    @Test("an import reads a byte order mark, CRLF and a missing last line break")
    func spreadsheets() throws {
        try folder.write("\u{FEFF}firstName,lastName\r\n\"a, b\",\"say \"\"x\"\"\nthere\"", to: "b.csv")
        try strata("import", "b.csv", "--entity", "boss", "--store", "s").expect(status: 0)
        #expect(
            try strata("export", "--entity", "boss", "--store", "s").output
                == "id,firstName,lastName\n1,\"a, b\",\"say \"\"x\"\"\nthere\"\n")
    }

    @Test("an export replaces its file atomically and leaves no other file")
    func exportsToFile() throws {
        try folder.write("firstName,lastName\na,b\n", to: "b.csv")
        try folder.write("old", to: "out.csv")
        try strata("import", "b.csv", "--entity", "boss", "--store", "s").expect(status: 0)
        let result = try strata("export", "--entity", "boss", "--store", "s", "--output", "out.csv")
        #expect(result.errors == "exported 1 Boss record to out.csv\n")
        #expect(try folder.text("out.csv") == "id,firstName,lastName\n1,a,b\n")
        #expect(try folder.files == ["b.csv", "out.csv", "s"])
    }

    @Test("options are accepted in any order and with =, and -- ends them")
    func optionForms() throws {
        try folder.write("firstName,lastName\na,b\n", to: "--odd.csv")
        try strata("import", "--store=s", "--entity=boss", "--format", "csv", "--", "--odd.csv").expect(status: 0)
    }

    @Test("the same seed generates the same bytes, and another seed generates other bytes")
    func generates() throws {
        let first = try strata("generate", "--entity", "employee", "--count", "Employee=100,Boss=5", "--seed", "42")
        let again = try strata("generate", "--seed", "42", "--entity", "employee", "--count", "boss=5,employee=100")
        let other = try strata("generate", "--entity", "employee", "--count", "Employee=100,Boss=5", "--seed", "43")
        #expect(first.output == again.output)
        #expect(first.output != other.output)
        #expect(first.output.split(separator: "\n").count == 101)
    }

    @Test(
        "every command prints the same help for help COMMAND and COMMAND --help",
        arguments: Strata.program.commands.map(\.name))
    func help(command: String) throws {
        let help = try strata("help", command)
        help.expect(status: 0)
        #expect(help.output == (try strata(command, "--help")).output)
        #expect(help.output.contains("Usage: strata \(command)"))
        #expect(help.output.contains("Examples:\n  strata "))
        let specification = try #require(Strata.program.command(named: command))
        for option in specification.options { #expect(help.output.contains("--\(option.name)")) }
    }

    @Test("the program prints its commands and its version")
    func program() throws {
        #expect(try strata("--version").output == "strata 0.1.0\n")
        let help = try strata("--help").output
        for command in Strata.program.commands { #expect(help.contains("  \(command.name)")) }
    }
}
