import Foundation
import StrataTestSupport
import Testing

private typealias Book = TestWorkbook

/// Tests of workbooks in a directory of datasets, and of workbooks that contain a whole store.
@Suite("Workbooks in directories, and workbooks of whole stores")
struct WorkbookDirectoryTests {
    private let folder = TemporaryFolder()

    private func run(_ line: String) throws -> Tool.Result { try Tool.debug.shell("strata " + line, in: folder) }

    private func write(_ book: TestWorkbook, to name: String) throws {
        try Data(try book.bytes()).write(to: URL(fileURLWithPath: folder.path(name)))
    }

    private static func sheet(_ name: String, _ column: String, _ value: Int, state: String? = nil) -> Book.Sheet {
        Book.Sheet(
            name, Book.row(1, Book.text("A1", column)) + Book.row(2, Book.number("A2", "\(value)")), state: state)
    }

    @Test("each visible sheet of the workbooks in a directory is a dataset")
    func directory() throws {
        try folder.write("id,city\n1,Rome\n", to: "d/people.csv")
        try write(
            Book([
                Self.sheet("Orders", "n", 7), Self.sheet("Cities 2", "m", 8), Book.Sheet("Empty", ""),
                Self.sheet("Notes", "x", 9, state: "hidden"),
            ]), to: "d/b.xlsx")
        try write(Book([Self.sheet("Sheet1", "k", 5)]), to: "d/Single.XLSX")
        try folder.write("no workbook", to: "d/~$b.xlsx")
        let result = try run("import d --store s")
        result.expect(status: 0)
        for line in [
            "d/b.xlsx: skipped hidden sheets: Notes; read one with d/b.xlsx:Notes\n",
            "from d/b.xlsx:Orders into s\n", "from d/b.xlsx:Cities 2 into s\n", "from d/Single.XLSX:Sheet1 into s\n",
            "from d/people.csv into s\n",
        ] {
            #expect(result.errors.contains(line), "\(result.errors)")
        }
        #expect(try run("export --store s --entity single").output == "k\n5\n")
        #expect(try run("query d --entity orders --select n --format csv").output == "n\n7\n")
        try run("model infer d -o m.json").expect(status: 0)
        try folder.write("id\n", to: "d/others.csv")
        try write(Book([Self.sheet("Orders", "n", 1), Self.sheet("Secrets", "n", 1)]), to: "d/b.xlsx")
        let known = try run("validate d --model m.json")
        #expect(
            known.errors.contains(
                "skipped files that do not have the name of an entity: b.xlsx:Secrets, others.csv, ~$b.xlsx\n"),
            "\(known.errors)")
        try folder.write("PK\u{3}\u{4} damaged", to: "d/c.xlsx")
        let damaged = try run("import d --store t")
        damaged.expect(status: 65)
        #expect(damaged.errors.hasPrefix("d/c.xlsx: the end of the archive is missing"), "\(damaged.errors)")
        #expect(try !folder.files.contains("t"))
    }

    @Test("a workbook of a whole store is imported with the same rows and join rows, and has the same bytes each time")
    func wholeStore() throws {
        try folder.write("id,name,day\n1,Ann,2024-02-29\n2,=1+1,\n", to: "d/notes.csv")
        try folder.write("id,title\n1,a\n2,b\n3,c\n", to: "d/tags.csv")
        try folder.write("note_id,tag_id\n1,2\n1,3\n2,1\n2,2\n", to: "d/notes_tags.csv")
        try folder.write("id\n", to: "d/a very long name of a dataset that is empty.csv")
        try run("import d --store s -q").expect(status: 0)
        let result = try run("export --all --store s -o b.xlsx")
        result.expect(status: 0)
        #expect(
            result.errors
                == "a very long name of a dataset that is empty: the sheet has the name a very long name of a dataset t"
                + ", because spreadsheets limit names\nexported 5 records of 3 entities and 4 pairs to b.xlsx\n")
        try run("export --all --store s --format xlsx -o c.xlsx -q").expect(status: 0)
        #expect(try folder.data("b.xlsx") == folder.data("c.xlsx"))
        try run("export --all --store s -o before -q").expect(status: 0)
        try run("model show s --format json > m.json").expect(status: 0)
        try run("import b.xlsx:notes b.xlsx:tags b.xlsx:notes_tags --model m.json --store t -q").expect(status: 0)
        try run("export --all --store t -o after -q").expect(status: 0)
        for file in ["notes.csv", "tags.csv", "notes_tags.csv"] {
            #expect(try folder.text("after/\(file)") == folder.text("before/\(file)"))
        }
        try run("import b.xlsx --store u -q").expect(status: 0)
        #expect(try run("export --store u --entity notes --format csv").output == folder.text("before/notes.csv"))
    }

    @Test("a value that a workbook cannot contain leaves the file unchanged")
    func limits() throws {
        try folder.write("id\n1\n", to: "d/a.csv")
        try folder.write("id,t\n1,\(String(repeating: "x", count: 32_768))\n", to: "d/b.csv")
        try folder.write("before", to: "b.xlsx")
        let result = try run("export d --all -o b.xlsx")
        result.expect(status: 65)
        #expect(result.errors.contains("B 1, t: a text of 32768 characters"), "\(result.errors)")
        #expect(try folder.text("b.xlsx") == "before")
    }
}
