import Foundation
import StrataContainers
import StrataTestSupport
import Testing

private typealias Book = TestWorkbook

/// Tests of workbooks as datasets.
@Suite("Workbooks as datasets")
struct WorkbookTests {
    private let folder = TemporaryFolder()

    private func run(_ line: String) throws -> Tool.Result { try Tool.debug.shell("strata " + line, in: folder) }

    private func write(_ book: TestWorkbook, to name: String) throws {
        try Data(try book.bytes()).write(to: URL(fileURLWithPath: folder.path(name)))
    }

    private static let people =
        Book.row(
            1,
            ["name", "code", "born", "score", "ok"].enumerated().map {
                Book.text("\(["A", "B", "C", "D", "E"][$0])1", $1)
            }
            .joined())
        + Book.row(
            2,
            Book.text("A2", "Ann") + Book.text("B2", "00501") + Book.number("C2", "45351", style: 1)
                + Book.number("D2", "1.5") + "<c r=\"E2\" t=\"b\"><v>1</v></c>")
        + Book.row(
            4,
            Book.text("A4", "Bob\nthe &quot;B&quot;") + Book.text("B4", "5") + Book.number("D4", "100000")
                + "<c r=\"E4\" t=\"b\"><v>0</v></c>")
        + Book.row(
            5,
            Book.text("A5", "Cy") + Book.text("B5", "7") + Book.number("C5", "1", style: 1) + Book.text("D5", "")
                + "<c r=\"E5\" t=\"b\"><v>0</v></c>")

    private func writePeople() throws {
        var book = Book(rows: Self.people)
        book.styles = [0, 14]
        try write(book, to: "people.xlsx")
    }

    @Test("a workbook with one sheet is a dataset with the name of the file")
    func query() throws {
        try writePeople()
        let result = try run("query people.xlsx --select 'name, code, born, score, ok' --format csv")
        #expect(
            result.output
                == "name,code,born,score,ok\nAnn,00501,2024-02-29,1.5,true\n\"Bob\nthe \"\"B\"\"\",5,,100000.0,false\n"
                + "Cy,7,1900-01-01,,false\n")
        result.expect(status: 0)
        #expect(try run("stats people.xlsx --format csv").output.contains("\ncode,string,3,0,"))
        let inferred = try run("model infer people.xlsx")
        for line in ["code: text", "born: day, 1 null", "score: decimal(1), fewest digits, 1 null", "ok: boolean"] {
            #expect(inferred.errors.contains(line), "\(inferred.errors)")
        }
        let imported = try run("import people.xlsx --store s")
        #expect(imported.errors.hasSuffix("imported 3 People records from people.xlsx:Sheet1 into s\n"))
        try run("validate people.xlsx").expect(status: 0)
        try run("import people.xlsx:sheet1 --store s --on-conflict ignore -q").expect(status: 0)
    }

    @Test("each visible sheet with cells is a dataset, and --sheet selects one")
    func sheets() throws {
        try write(
            Book([
                .init("People", Book.row(1, Book.text("A1", "a")) + Book.row(2, Book.number("A2", "1"))),
                .init("Cities 2", Book.row(1, Book.text("A1", "b")) + Book.row(2, Book.number("A2", "2"))),
                .init("Empty", ""),
                .init(
                    "Notes", Book.row(1, Book.text("A1", "c")) + Book.row(2, Book.number("A2", "3")), state: "hidden"),
            ]), to: "b.xlsx")
        let result = try run("import b.xlsx --store s")
        #expect(
            result.errors.hasPrefix("b.xlsx: skipped hidden sheets: Notes; read one with --sheet NAME\n"),
            "\(result.errors)")
        #expect(result.errors.contains("from b.xlsx:People into s"))
        #expect(result.errors.contains("from b.xlsx:Cities 2 into s"))
        #expect(try run("model show s --format json > m.json").status == 0)
        try run("import b.xlsx --model m.json --store t -q").expect(status: 0)
        #expect(try run("export --store t --entity people --format csv").output == "a\n1\n")
        let same = try run("export b.xlsx --sheet 1 -o b.xlsx")
        #expect(same.errors == "b.xlsx: the file is read by this command; choose another output\n")
        for (arguments, expected) in [
            ("b.xlsx --sheet people --select a", "a\n1\n"), ("b.xlsx --sheet 2 --select b", "b\n2\n"),
            ("b.xlsx:Notes --select c", "c\n3\n"), ("b.xlsx --sheet 4 --select c", "c\n3\n"),
            ("'b.xlsx:Cities 2!A1:A2' --select b", "b\n2\n"),
        ] {
            #expect(try run("query \(arguments) --format csv").output == expected, "\(arguments)")
        }
        for (arguments, expected) in [
            ("b.xlsx --sheet Peopl", "there is no sheet \"Peopl\" (did you mean People?); the sheets are "),
            ("b.xlsx --range A1:A2", "--range requires one sheet; name it with --sheet"),
            ("b.xlsx --sheet 1 --range A2", "option --range: \"A2\" is not a range of cells, as in A6:C900"),
            ("b.xlsx:People --sheet 1", "b.xlsx:People already names a sheet; omit --sheet and --range"),
            ("b.xlsx:x", "there is no sheet \"x\""),
        ] {
            let result = try run("query \(arguments) --select a")
            #expect(result.status != 0 && result.errors.contains(expected), "\(arguments): \(result.errors)")
        }
        try folder.write("a\n1\n", to: "c.csv")
        let refused = try run("query c.csv --select a --sheet 1")
        refused.expect(status: 64)
        #expect(refused.errors.contains("--sheet requires a workbook (.xlsx), but none of the arguments is one"))
    }

    @Test("errors have the address of their cell")
    func addresses() throws {
        let header = Book.row(3, Book.text("B3", "name") + Book.text("C3", "n"))
        let bad =
            header + Book.row(4, Book.text("B4", "a\nb\nc") + Book.number("C4", "1"))
            + Book.row(7, Book.text("B7", "x") + "<c r=\"C7\" t=\"e\"><v>#DIV/0!</v></c>")
            + Book.row(9, Book.text("B9", "y") + Book.number("C9", "2.5"))
        try write(Book(rows: bad), to: "bad.xlsx")
        let result = try run("query bad.xlsx --select n")
        #expect(
            result.errors == "bad.xlsx:Sheet1!C7: record 2, column n: the cell contains the error #DIV/0!\n")
        result.expect(status: 65)
        let model =
            #"{"resources":[{"name":"bad","path":"b.csv","schema":{"fields":[{"name":"name","type":"string"},"#
            + #"{"name":"n","type":"integer"}]}}]}"#
        try folder.write(model, to: "m.json")
        let validated = try run("validate bad.xlsx --model m.json --entity bad --on-error reject")
        #expect(validated.errors.contains("bad.xlsx:Sheet1!C7: record 2, column n: "), "\(validated.errors)")
        #expect(validated.errors.contains("bad.xlsx:Sheet1!C9: record 3, column n: "), "\(validated.errors)")
        #expect(validated.errors.contains("would import 1 "), "\(validated.errors)")
    }

    @Test("cells outside of the table are errors, and a range or header rows select the table")
    func ranges() throws {
        let titles =
            Book.row(1, Book.text("A1", "Sales of 2024")) + Book.row(3, Book.text("B3", "a") + Book.text("C3", "b"))
        let values = (4...110).map { Book.row($0, Book.number("B\($0)", "\($0)") + Book.number("C\($0)", "1")) }
        try write(
            Book(rows: titles + values.joined() + Book.row(111, Book.text("A111", "total"))), to: "t.xlsx")
        #expect(
            try run("query t.xlsx --range B3:C110 --select 'count(), sum(a), sum(b)' --format csv").output
                .hasSuffix("\n107,6099,107\n"))
        #expect(
            try run("query t.xlsx --header-rows 3 --select 'count()' --format csv").output.hasSuffix("\n108\n"))
        try write(
            Book(
                rows: Book.row(1, Book.text("B1", "a"))
                    + (2...110).map { Book.row($0, Book.number("B\($0)", "1")) }.joined()
                    + Book.row(111, Book.number("B111", "1") + Book.number("D111", "2"))), to: "w.xlsx")
        let outside = try run("query w.xlsx --select a")
        #expect(
            outside.errors.hasPrefix("w.xlsx:Sheet1!D111: record 110, column 3: the cell is outside of the table"),
            "\(outside.errors)")
    }

    @Test("hidden and merged cells and long numbers are noted")
    func notes() throws {
        var book = Book(
            rows: Book.row(1, Book.text("A1", "id") + Book.text("B1", "v"))
                + "<row r=\"2\" hidden=\"1\"><c><v>1</v></c><c><v>0.12345678901234567</v></c></row>")
        book.sheets[0].after = "<mergeCells><mergeCell ref=\"A1:A1\"/></mergeCells>"
        try write(book, to: "n.xlsx")
        let result = try run("import n.xlsx --store s")
        for note in [
            "1 hidden row", "1 merged range, whose value is only in the first cell",
            "1 number (first: B2) with more than 15 digits, which may be rounded",
        ] {
            #expect(result.errors.contains("n.xlsx:Sheet1: \(note)\n"), "\(result.errors)")
        }
        #expect(try run("import n.xlsx --store t -q").errors == "")
    }

    @Test("texts that mean null can be named")
    func nullTokens() throws {
        let rows =
            Book.row(1, Book.text("A1", "id") + Book.text("B1", "n"))
            + Book.row(2, Book.number("A2", "1") + Book.text("B2", "NA"))
            + Book.row(3, Book.number("A3", "2") + Book.number("B3", "7"))
        try write(Book(rows: rows), to: "n.xlsx")
        #expect(try run("query n.xlsx --null NA --select 'sum(n)' --format csv").output.hasSuffix("\n7\n"))
    }

    @Test("files that are no workbooks are rejected with a hint")
    func otherFiles() throws {
        let old = Data([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 600))
        try old.write(to: URL(fileURLWithPath: folder.path("old.xlsx")))
        let result = try run("query old.xlsx --select a")
        #expect(
            result.errors
                == "old.xlsx: the file is an old workbook (.xls) or has a password; save it as .xlsx without a password\n"
        )
        result.expect(status: 65)
        try writePeople()
        let bytes = try folder.data("people.xlsx")
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: folder.path("half.xlsx")))
        let half = try run("query half.xlsx --select name")
        #expect(
            half.errors
                == "half.xlsx: the end of the archive is missing; the file is incomplete or damaged\n")
        let piped = try run("query - --input-format csv --select a < people.xlsx")
        #expect(piped.errors == "<stdin>: the input is a workbook or a ZIP archive; name the file itself\n")
        let format = try run("import people.xlsx --format json --store s")
        #expect(format.errors.contains("--format json cannot be combined with a workbook"), "\(format.errors)")
    }

    // MARK: Export

    @Test("a workbook that was written is imported with the same values, and has the same bytes each time")
    func export() throws {
        let csv =
            "id,t,amount,day,seen,at,ok,big,n\n1,=1+1,1.25,2024-02-29,2024-02-29T12:30:00Z,08:30:00,true,12345678901234567,1\n"
            + "2,\"  a\nb\",2.50,1899-01-01,1850-01-01T00:00:00Z,09:00:00,false,2,\n3,_x0041_,0.01,,,,,,\n4,00501,7.00,,,,,,\n"
        try folder.write(csv, to: "x.csv")
        try run("import x.csv --store s -q").expect(status: 0)
        let result = try run("export --store s -o x.xlsx")
        #expect(
            result.errors
                == "1 number has more than 15 digits, which a spreadsheet would round: written as text\n"
                + "exported 4 X records to x.xlsx\n")
        try run("export --store s -o y.xlsx -q").expect(status: 0)
        #expect(try folder.data("x.xlsx") == folder.data("y.xlsx"))
        try run("model show s --format json > m.json").expect(status: 0)
        try run("import x.xlsx --model m.json --entity x --store t -q").expect(status: 0)
        #expect(try run("export --store t --format csv").output == csv)
        try run("export --store s -o z.XLSX --columns t=Text -q").expect(status: 0)
        #expect(
            try run("query z.XLSX --select 'Text' --format csv").output == "Text\n=1+1\n\"  a\nb\"\n_x0041_\n00501\n")
    }

    @Test("values and options that a workbook cannot contain are errors")
    func exportErrors() throws {
        try folder.write("id,t\n1,\(String(repeating: "x", count: 32_768))\n", to: "x.csv")
        try folder.write("before", to: "x.xlsx")
        let long = try run("export x.csv -o x.xlsx")
        long.expect(status: 65)
        #expect(
            long.errors
                == "X 1, t: a text of 32768 characters; a cell of a workbook has at most 32767\n")
        #expect(try folder.text("x.xlsx") == "before")
        for (arguments, expected) in [
            ("--format xlsx", "a workbook is a file; name it with --output FILE"),
            ("--all --format xlsx -o d.xlsx --no-header", "--no-header cannot be combined with --all"),
            ("--all --format xlsx -o d.xlsx --where 'id = 1'", "--where can be used only for one entity"),
            ("--all --format xlsx -o x.csv", "x.csv: the file is read by this command"),
            ("-o y.xlsx --delimiter ';'", "--delimiter cannot be used for a workbook"),
            ("-o y.xlsx --bom", "--bom cannot be used for a workbook"),
            ("-o y.xlsx --pretty", "--pretty cannot be used for a workbook"),
        ] {
            let result = try run("export x.csv \(arguments)")
            #expect(result.status == 64 || result.status == 73, "\(result.errors)")
            #expect(result.errors.contains(expected), "\(result.errors)")
        }
        let columns = (0...16_384).map { "c\($0)" }.joined(separator: ",")
        try folder.write(columns + "\n", to: "wide.csv")
        #expect(try run("query x.csv --select t --format xlsx").status == 64)
    }

    // MARK: Archives

    @Test("the data files of a ZIP archive are datasets")
    func archives() throws {
        let sink = Sink()
        var zip = ZipWriter { sink.bytes += $0 }
        for (name, text) in [
            ("people.csv", "id,city_id\n1,2\n"), ("data/cities.tsv", "id\tname\n2\tRome\n"), ("__MACOSX/x.csv", "x"),
            ("notes.txt", "x"), ("e.ndjson", "{\"id\":1}\n"),
        ] {
            try zip.add(name, Array(text.utf8))
        }
        try zip.finish()
        try Data(sink.bytes).write(to: URL(fileURLWithPath: folder.path("d.zip")))
        let result = try run("import d.zip --store s")
        result.expect(status: 0)
        for name in ["data/cities.tsv", "e.ndjson", "people.csv"] {
            #expect(result.errors.contains("from d.zip:\(name) into s"), "\(result.errors)")
        }
        #expect(
            try run("query d.zip --entity people --select 'city.name' --format csv").output.contains("Rome"))
        #expect(try run("query d.zip:data/cities.tsv --select name --format csv").output == "name\nRome\n")
        #expect(
            try run("query d.zip:data/x.csv --select name").errors
                == "d.zip: the archive contains no file \"data/x.csv\"\n")
        let error = try run("query d.zip:people.csv --select id --range A1:B2")
        #expect(error.status == 64)
    }

    private final class Sink { var bytes: [UInt8] = [] }
}
