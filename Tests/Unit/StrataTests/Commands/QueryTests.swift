import Foundation
import Testing

@Suite("Queries of stores and files")
struct QueryTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.write(
            "date,amount,who,note\n2026-01-03,10.50,Ann,x\n2026-01-20,1.25,Bo,\n2026-02-01,7,Ann,=1+1\n2026-02-05,,Cy,z\n",
            to: "sales.csv")
    }

    private func run(_ command: String, _ arguments: String...) throws -> Tool.Result {
        try Tool.debug.run([command] + arguments, in: folder)
    }

    private func output(_ command: String, _ arguments: [String]) throws -> String {
        let result = try Tool.debug.run([command] + arguments, in: folder)
        result.expect(status: 0)
        #expect(result.errors.isEmpty, "\(result.errors)")
        return result.output
    }

    private func query(_ arguments: String...) throws -> String { try output("query", arguments) }

    @Test("a file is queried without a store, and numbers with different digits are numbers")
    func file() throws {
        #expect(
            try query(
                "sales.csv", "--select", "month(date), count(), sum(amount) as total", "--sort", "sum(amount) desc")
                    == """
                    month(date)  count()  total
                    2026-01            2  11.75
                    2026-02            2   7.00

                    """)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(left == ["sales.csv"], "nothing is left behind")
    }

    @Test("results are written as CSV, JSON and NDJSON")
    func formats() throws {
        let select = ["--select", "who, max(amount), avg(amount) as mean", "--where", "who != 'Bo'"]
        #expect(
            try output("query", ["sales.csv", "--format", "csv"] + select)
                == "who,max(amount),mean\nAnn,10.50,8.75000000\nCy,,\n")
        #expect(
            try output("query", ["sales.csv", "--format", "ndjson"] + select)
                == "{\"who\":\"Ann\",\"max(amount)\":10.50,\"mean\":8.75000000}\n{\"who\":\"Cy\",\"max(amount)\":null,\"mean\":null}\n"
        )
        let file = try run("query", "sales.csv", "--select", "count()", "-o", "out.json")
        file.expect(status: 0)
        #expect(try folder.text("out.json") == "[\n{\"count()\":4}\n]\n")
        #expect(file.output.isEmpty && file.errors == "wrote 1 result to out.json\n")
        #expect(
            try query("sales.csv", "--select", "note", "--where", "who = 'Ann'", "--format", "csv", "--escape-formulas")
                == "note\nx\n'=1+1\n")
    }

    @Test("groups are selected, sorted and limited, and equal rows are printed once")
    func groups() throws {
        #expect(
            try query(
                "sales.csv", "--select", "count() as n", "--group-by", "who", "--having", "count() < 2", "--sort",
                "who desc", "--format", "csv") == "n\n1\n1\n")
        #expect(
            try query(
                "sales.csv", "--select", "who", "--distinct", "--sort", "who desc", "--limit", "2", "--format", "csv")
                == "who\nCy\nBo\n")
        #expect(
            try query("sales.csv", "--select", "who", "--sort", "date", "--offset", "3", "--format", "csv")
                == "who\nCy\n")
    }

    @Test("a store is queried with the names of its files, across references")
    func store() throws {
        try folder.write("code,city\n2,Rome\n1,Oslo\n", to: "place.csv")
        try folder.write("id,place_code,size\n7,2,3\n3,1,4\n5,2,8\n", to: "shop.csv")
        try run("import", "-q", "place.csv", "shop.csv", "--store", "s.db").expect(status: 0)
        let arguments = ["--store", "s.db", "--entity", "shop", "--format", "csv", "--select"]
        #expect(
            try output("query", arguments + ["place_code, place_code.city, sum(size)"])
                == "place_code,place_code.city,sum(size)\n1,Oslo,4\n2,Rome,11\n")
        #expect(try output("query", arguments + ["max(id)"]) == "max(id)\n7\n")
        let entities = try run("query", "--store", "s.db", "--select", "count()")
        entities.expect(status: 64)
        #expect(entities.errors.contains("choose an entity with --entity NAME; there are place, shop"))
    }

    @Test("standard input is queried if its format is named")
    func standardInput() throws {
        let line = "cat sales.csv | \"\(Tool.debug.path)\" query - --select 'count()'"
        #expect(try Tool.debug.shell(line + " --input-format csv --format csv", in: folder).output == "count()\n4\n")
        let nameless = try Tool.debug.shell(line, in: folder)
        #expect(nameless.status == 64 && nameless.errors.contains("--input-format"))
    }

    @Test(
        "a wrong query is a usage error that names the option and the position",
        arguments: [
            (["--select", "who,"], "option --select: column 5: a value is expected"),
            (["--select", "whom"], "did you mean \"who\"?"),
            (["--select", "sum(who)"], "option --select: column 1: sum() cannot be applied to a string"),
            (["--select", "count()", "--having", "count() >"], "option --having: column 10"),
            (["--select", "count()", "--where", "sum(amount) > 1"], "option --where: column 1: sum() of rows"),
            (["--select", "who", "--group-by", "note"], "who: the value is neither a key of the groups"),
            (["--select", "count()", "--distinct"], "a distinct selection cannot have groups"),
            (["--select", "who", "--limit", "-1"], "option --limit"),
            (["--select", "who", "--escape-formulas"], "--escape-formulas can be used only for CSV and TSV"),
            ([], "missing option --select LIST"),
        ])
    func wrong(_ arguments: [String], _ message: String) throws {
        let result = try Tool.debug.run(["query", "sales.csv"] + arguments, in: folder)
        result.expect(status: 64)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test("missing and invalid files have the exit status of an import")
    func wrongFiles() throws {
        let missing = try run("query", "none.csv", "--select", "count()")
        missing.expect(status: 66)
        try folder.write("a,b\n1\n", to: "bad.csv")
        try run("query", "bad.csv", "--select", "count()").expect(status: 65)
        try run("query", "--select", "count()").expect(status: 64)
        try run("query", "sales.csv", "--store", "s.db", "--select", "count()").expect(status: 64)
        try run("query", "--store", "none.db", "--entity", "a", "--select", "count()").expect(status: 66)
    }

    @Test("an overflow is an error in the data")
    func overflow() throws {
        try folder.write("n\n9223372036854775807\n1\n", to: "large.csv")
        let result = try run("query", "large.csv", "--select", "sum(n)")
        result.expect(status: 65)
        #expect(result.output.isEmpty)
    }

    @Test("show, export and report read files, and export keeps the texts of numbers")
    func otherCommands() throws {
        #expect(
            try output("show", ["sales.csv", "--columns", "amount,who", "--limit", "2"])
                == "amount  who\n10.50   Ann\n1.25    Bo\n")
        #expect(
            try output("export", ["sales.csv", "--columns", "amount", "--where", "who = 'Ann'"]) == "amount\n10.50\n7\n"
        )
        try folder.write("name;city\nAnn;Rome\n", to: "people.csv")
        try run("export", "-q", "sales.csv", "people.csv", "--all", "-o", "out").expect(status: 0)
        #expect(try folder.text("out/people.csv") == "name,city\nAnn,Rome\n")
        let report = try output("report", ["sales.csv", "--title", "T"])
        #expect(report.contains("<title>T</title>"))
        let several = try run("show", "sales.csv", "people.csv")
        several.expect(status: 64)
        #expect(several.errors.contains("choose an entity with --entity NAME; there are sales, people"))
        let same = try run("export", "sales.csv", "-o", "sales.csv")
        same.expect(status: 73)
        #expect(same.errors.contains("the file is read by this command"))
    }

    @Test("statistics describe each column")
    func stats() throws {
        #expect(
            try output("stats", ["sales.csv", "--frequent", "1"]) == """
                column  type        rows  nulls  distinct  least       greatest          mean  median      shortest  longest  frequent
                date    day            4      0         4  2026-01-03  2026-02-05        null  2026-01-20      null     null  2026-01-03 (1)
                amount  decimal(2)     4      1         3  1.25        10.50       6.25000000  7.00            null     null  1.25 (1)
                who     string         4      0         3  Ann         Cy                null  null               2        3  Ann (2)
                note    string         4      1         3  =1+1        z                 null  null               1        4  =1+1 (1)

                """)
        try folder.write("n,`x`\n1,a\n4,\n2,b\n3,a\n", to: "odd.csv")
        let lines = try output("stats", ["odd.csv", "--format", "csv"]).split(separator: "\n")
        #expect(lines.count == 3 && lines[1].hasPrefix("n,integer64,4,0,4,1,4,2.5,2.5,,,"), "\(lines)")
    }

    @Test("statistics of several entities name the entity of each column")
    func statsOfStore() throws {
        try folder.write("code\n2\n", to: "place.csv")
        try run("import", "-q", "place.csv", "sales.csv", "--store", "s.db").expect(status: 0)
        let lines = try output("stats", ["--store", "s.db", "--format", "csv"]).split(separator: "\n")
        #expect(lines.count == 6 && lines[0].hasPrefix("entity,column") && lines[1].hasPrefix("place,code"), "\(lines)")
        let one = try output("stats", ["--store", "s.db", "--entity", "place", "--format", "csv"])
        #expect(one.hasPrefix("column,type"))
    }
}
