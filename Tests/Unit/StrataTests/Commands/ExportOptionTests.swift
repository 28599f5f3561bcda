import Foundation
import Testing

@Suite("Export options")
struct ExportOptionTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.write("id,firstName,lastName\n1,Ada,Lace\n2,\"=B\",\"Box, Inc\"\n", to: "b.csv")
        try folder.write(
            "id,firstName,lastName,salary,dateHired,boss\n7,c,d,1,2020-01-02,2\n8,e,f,2,2020-01-02,\n", to: "e.csv")
        for (file, entity) in [("b.csv", "Boss"), ("e.csv", "Employee")] {
            try strata("import", file, "--entity", entity, "--store", "s").expect(status: 0)
        }
    }

    private func strata(_ arguments: String...) throws -> Tool.Result { try Tool.reference.run(arguments, in: folder) }

    private func exported(_ entity: String, _ arguments: String...) throws -> String {
        let result = try Tool.reference.run(["export", "--entity", entity, "--store", "s"] + arguments, in: folder)
        result.expect(status: 0)
        return result.output
    }

    @Test("--columns selects and renames columns, also of referenced rows, and may be repeated")
    func columns() throws {
        let expected = "boss,id,boss id\n\"Box, Inc\",7,2\n,8,\n"
        #expect(try exported("employee", "--columns", "boss.lastName=boss,id,boss=boss id") == expected)
        #expect(
            try exported("employee", "--columns", "boss.lastName=boss, id", "--columns", "boss=boss id") == expected)
        #expect(
            try exported("employee", "--columns", "salary", "--format", "ndjson") == "{\"salary\":1}\n{\"salary\":2}\n")
    }

    @Test("--limit and --offset select a range of the rows sorted by id")
    func window() throws {
        #expect(try exported("boss", "--limit", "1", "--columns", "id") == "id\n1\n")
        #expect(try exported("boss", "--offset", "1", "--columns", "id") == "id\n2\n")
        #expect(try exported("boss", "--offset", "2", "--columns", "id", "--format", "json") == "[]\n")
    }

    @Test("an export writes a table with the requested header, delimiter, quotes, line ending and byte order mark")
    func tables() throws {
        #expect(try exported("boss", "--no-header", "--delimiter", ";") == "1;Ada;Lace\n2;=B;Box, Inc\n")
        #expect(try exported("boss", "--no-header", "--delimiter", "tab") == "1\tAda\tLace\n2\t=B\tBox, Inc\n")
        #expect(try exported("boss", "--no-header", "--format", "tsv") == "1\tAda\tLace\n2\t=B\tBox, Inc\n")
        #expect(
            try exported("boss", "--quote-all", "--line-ending", "crlf", "--bom", "--limit", "1")
                == "\u{FEFF}\"id\",\"firstName\",\"lastName\"\r\n\"1\",\"Ada\",\"Lace\"\r\n")
        #expect(try exported("boss", "--escape-formulas", "--columns", "firstName") == "firstName\nAda\n'=B\n")
        #expect(try exported("employee", "--null", "NULL", "--columns", "id,boss") == "id,boss\n7,2\n8,NULL\n")
        #expect(
            try exported("boss", "--format", "json", "--pretty", "--columns", "id", "--limit", "1")
                == "[\n  {\n    \"id\": 1\n  }\n]\n")
    }

    @Test("a whole store can be exported to a directory and imported file by file")
    func all() throws {
        let result = try strata("export", "--all", "--store", "s", "--output", "backup", "--format", "json")
        result.expect(status: 0)
        #expect(result.errors == "exported 4 records of 4 entities to backup\n")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("backup")).sorted()
        #expect(names == ["Boss.json", "Color.json", "Employee.json", "Item.json", "manifest.json"])
        for entity in ["Boss", "Employee"] {
            let file = "backup/\(entity).json"
            try strata("import", file, "--entity", entity, "--store", "t").expect(status: 0)
            let again = try strata("export", "--entity", entity, "--store", "t", "--format", "json").output
            #expect(again == (try folder.text(file)))
        }
    }

    @Test(
        "a wrong option of an export is reported before a file is written",
        arguments: [
            (
                ["--entity", "boss", "--columns", "nme"],
                "option --columns: Boss has no attribute or to-one relationship \"nme\""
            ),
            (["--entity", "boss", "--columns", "id,"], "option --columns: \"\" is not PATH or PATH=NAME"),
            (["--entity", "boss", "--columns", "id,id"], "option --columns: two columns have the name \"id\""),
            (["--entity", "boss", "--pretty"], "indentation is possible only in JSON"),
            (["--entity", "boss", "--format", "json", "--bom"], "JSON has no byte order mark (RFC 8259)"),
            (
                ["--entity", "boss", "--format", "ndjson", "--null", "x"],
                "NDJSON has a null value; a token is possible "
                    + "only in CSV and TSV"
            ),
            (
                ["--entity", "boss", "--delimiter", "ab"],
                "option --delimiter: \"ab\" is not one ASCII character, or tab"
            ),
            (["--entity", "boss", "--delimiter", "\""], "option --delimiter: byte 34 cannot separate fields"),
            (["--entity", "boss", "--line-ending", "x"], "option --line-ending: \"x\" is not one of lf, crlf, cr"),
            (["--entity", "boss", "--limit", "-1"], "option --limit: \"-1\" is not a whole number"),
            ([], "choose an entity with --entity NAME; there are Color, Boss, Employee, Item; use --all"),
            (["--all"], "--all writes a directory; name it with --output DIR"),
            (
                ["--all", "--output", "o", "--entity", "boss"],
                "--entity can be used only for one entity and cannot be "
                    + "combined with --all"
            ),
            (["--all", "--output", "o", "--no-header"], "files of a directory must have a header"),
        ])
    func usage(arguments: [String], message: String) throws {
        let result = try Tool.reference.run(["export", "--store", "s"] + arguments, in: folder)
        result.expect(status: 64)
        #expect(result.errors.hasPrefix("strata: \(message)"), "\(result.errors)")
        #expect(result.output.isEmpty && !FileManager.default.fileExists(atPath: folder.path("o")))
    }
}
