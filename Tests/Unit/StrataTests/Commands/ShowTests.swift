import Foundation
import Testing

@Suite("Tables on a terminal")
struct ShowTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.write(
            "id,hex,name,dateCreated\n1,#ff0000,red,2001-01-01\n2,#008000,,2001-01-02\n10,#0000ff,\"null\",2001-01-03\n"
                + "11,#123,\"日本 e\u{301}\u{1B}[2J\",2001-01-04T10:11:12.5Z\n",
            to: "c.csv")
        #expect(
            try Tool.reference.run(["import", "c.csv", "--entity", "color", "--store", "s"], in: folder).status == 0)
    }

    private func show(_ arguments: String...) throws -> String {
        let result = try Tool.reference.run(["show", "--entity", "color", "--store", "s"] + arguments, in: folder)
        result.expect(status: 0)
        #expect(result.errors.isEmpty)
        return result.output
    }

    /// Returns the output on a terminal with a number of columns.
    private func terminal(_ columns: Int, _ environment: String, _ arguments: String) throws -> String {
        let line =
            "unset COLUMNS NO_COLOR COLORTERM; \(environment) script -qec 'stty cols \(columns); \"\(Tool.debug.path)\" show --entity "
            + "color --store s \(arguments)' /dev/null"
        let result = try Tool.reference.shell(line, in: folder)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        return result.output.replacingOccurrences(of: "\r\n", with: "\n")
    }

    @Test("show writes to a pipe all rows as aligned plain text without truncation")
    func pipe() throws {
        #expect(
            try show() == """
                id  hex      name             dateCreated
                 1  #FF0000  red              2001-01-01T00:00:00Z
                 2  #008000  null             2001-01-02T00:00:00Z
                10  #0000FF  "null"           2001-01-03T00:00:00Z
                11  #112233  日本 e\u{301}\\u{1B}[2J  2001-01-04T10:11:12.5Z

                """)
    }

    @Test("show selects rows and columns with the same options as an export")
    func selection() throws {
        #expect(
            try show(
                "--where", "id > 1", "--sort", "hex", "--limit", "2", "--offset", "1", "--columns", "hex=colour,id")
                == "colour   id\n#008000   2\n#112233  11\n")
        #expect(try show("--where", "id > 99", "--columns", "id,name") == "id  name\n")
        let unknown = try Tool.reference.run(
            ["show", "--entity", "color", "--store", "s", "--columns", "nam"], in: folder)
        unknown.expect(status: 64)
        #expect(unknown.errors.contains("did you mean name?"))
    }

    @Test("show writes colors to a pipe on request")
    func alwaysColored() throws {
        let line = "TERM=xterm COLORTERM=truecolor strata show --entity color --store s --color always --limit 1"
        let output = try Tool.reference.shell(line + " --columns id,hex,name", in: folder).output
        #expect(
            output == "\u{1B}[1mid\u{1B}[0m  \u{1B}[1mhex\u{1B}[0m         \u{1B}[1mname\u{1B}[0m\n"
                + " 1  \u{1B}[48;2;255;0;0m  \u{1B}[0m #FF0000  red\n")
        let wrong = try Tool.reference.run(
            ["show", "--entity", "color", "--store", "s", "--color", "alwas"], in: folder)
        #expect(
            wrong.errors.hasPrefix(
                "strata: option --color: \"alwas\" is not one of auto, always, never; did you mean always?"))
    }

    @Test("show also prints the rows after those that determine the column widths")
    func manyRows() throws {
        let rows =
            "strata generate --entity boss --count 2500 --seed 1 | strata import - --format csv --entity boss --store s -q"
        try Tool.reference.shell(rows, in: folder).expect(status: 0)
        let output = try Tool.reference.run(["show", "--entity", "boss", "--store", "s"], in: folder).output
        #expect(output.split(separator: "\n").count == 2501)
    }

    @Test(
        "show prints on a terminal the columns that fit the width, and a last line with counts",
        .needs("script"))
    func fits() throws {
        #expect(
            try terminal(40, "TERM=dumb", "--limit 2") == """
                id  hex      name  dateCreated
                 1  #FF0000  red   2001-01-01T00:00:00Z
                 2  #008000  null  2001-01-02T00:00:00Z
                2 of 4 rows

                """)
        #expect(
            try terminal(32, "TERM=dumb", "--limit 1") == """
                id  hex      name  dateCreated
                 1  #FF0000  red   2001-01-01T0…
                1 of 4 rows

                """)
        #expect(
            try terminal(12, "TERM=dumb", "--limit 1") == """
                id  hex
                 1  #FF0000
                1 of 4 rows; 2 more columns do not fit

                """)
    }

    @Test(
        "show prints colors on a color terminal unless NO_COLOR is set",
        .needs("script"))
    func colored() throws {
        let direct = try terminal(80, "TERM=xterm COLORTERM=truecolor", "")
        #expect(direct.contains("\u{1B}[48;2;0;128;0m  \u{1B}[0m #008000"))
        #expect(direct.contains("\u{1B}[2mnull\u{1B}[0m"))
        #expect(direct.hasSuffix("\u{1B}[2m4 of 4 rows\u{1B}[0m\n"))
        #expect(try terminal(80, "TERM=xterm-256color", "").contains("\u{1B}[48;5;196m  \u{1B}[0m #FF0000"))
        for environment in ["TERM=dumb", "NO_COLOR=1 TERM=xterm-256color"] {
            #expect(try !terminal(80, environment, "").contains("\u{1B}"))
        }
        #expect(try !terminal(80, "TERM=xterm-256color", "--color never").contains("\u{1B}"))
    }
}
