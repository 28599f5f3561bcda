import Foundation
import StrataTestSupport
import Testing

private typealias Book = TestWorkbook

/// The eight faults that users of DuckDB's reader of workbooks reported; each test is named by its issue.
@Suite("Faults of DuckDB's reader of workbooks")
struct DuckDBWorkbookFaultTests {
    private let folder = TemporaryFolder()

    /// Returns the rows of a workbook as CSV.
    private func csv(_ book: TestWorkbook, select: String, _ options: String = "") throws -> String {
        try Data(try book.bytes()).write(to: URL(fileURLWithPath: folder.path("b.xlsx")))
        let line = "strata query b.xlsx --select '\(select)' --format csv \(options)"
        let result = try Tool.debug.shell(line, in: folder)
        result.expect(status: 0)
        return result.output
    }

    private static func header(_ names: String..., row: Int = 1) -> String {
        Book.row(row, names.enumerated().map { Book.text("\(["A", "B", "C", "D"][$0])\(row)", $1) }.joined())
    }

    @Test("duckdb-excel#49: an empty cell below title rows is null, and has not the text of a title")
    func issue49() throws {
        var book = Book(
            rows: Book.row(
                1, "<c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"s\"><v>1</v></c><c r=\"C1\" t=\"s\"><v>2</v></c>")
                + Self.header("no", "orders", "refund", row: 6)
                + Book.row(7, Book.number("A7", "1") + Book.text("B7", "yyyyy") + "<c r=\"C7\" s=\"1\" t=\"s\"/>"))
        book.strings = "<si><t>account</t></si><si><t>payment</t></si><si><t>channel</t></si>"
        book.styles = [0, 0]
        #expect(
            try csv(book, select: "no, orders, refund", "--range A6:C7") == "no,orders,refund\n1,yyyyy,\n")
    }

    @Test("duckdb-excel#20: an empty cell with the type of a shared text is null, and has no text of another sheet")
    func issue20() throws {
        var book = Book([
            .init("Health", Book.row(1, "<c r=\"A1\" t=\"s\"><v>0</v></c>")),
            .init(
                "Activity",
                Self.header("label", "SAS")
                    + Book.row(2, Book.text("A2", "a") + "<c r=\"B2\" t=\"s\"><v></v></c>")
                    + Book.row(3, Book.text("A3", "b") + "<c r=\"B3\" t=\"s\"><v>1</v></c>")),
        ])
        book.strings = "<si><t>19. Hypertension</t></si><si><t>ACT</t></si>"
        #expect(try csv(book, select: "label, SAS", "--sheet Activity") == "label,SAS\na,\nb,ACT\n")
    }

    @Test("duckdb-python#64: reading continues after an empty column and an empty row")
    func issue64() throws {
        let book = Book(rows: Book.row(1, Book.text("A1", "X")) + Book.row(3, Book.text("C3", "X")))
        #expect(try csv(book, select: "a, b, c", "--no-header --columns a,b,c") == "a,b,c\nX,,\n,,X\n")
    }

    @Test("duckdb-excel#69: the type of a column is that of all rows, not that of the first one")
    func issue69() throws {
        let book = Book(
            rows: Self.header("status", "module", "version", "duration") + Book.row(2, Book.text("A2", "downloaded"))
                + Book.row(3, Book.text("B3", "abc1") + Book.text("C3", "1.0.1") + Book.number("D3", "5"))
                + Book.row(4, Book.text("B4", "abc2") + Book.text("C4", "1.0.2") + Book.number("D4", "7")))
        #expect(
            try csv(book, select: "status, module, version, duration * 2 as d")
                == "status,module,version,d\ndownloaded,,,\n,abc1,1.0.1,10\n,abc2,1.0.2,14\n")
    }

    @Test("duckdb-excel#19: an empty text in a column of numbers is null")
    func issue19() throws {
        let book = Book(
            rows: Self.header("k", "n") + Book.row(2, Book.text("A2", "a") + Book.number("B2", "1"))
                + Book.row(3, Book.text("A3", "b") + "<c r=\"B3\" t=\"str\"><f>\"\"</f><v></v></c>")
                + Book.row(4, Book.text("A4", "c") + Book.text("B4", "")))
        #expect(try csv(book, select: "k, n") == "k,n\na,1\nb,\nc,\n")
        #expect(try csv(book, select: "sum(n) as s") == "s\n1\n")
    }

    @Test("duckdb-excel#17: a number with the format of a date is a date")
    func issue17() throws {
        var book = Book(
            rows: Self.header("a", "b", "c")
                + Book.row(
                    2,
                    Book.number("A2", "45657", style: 1) + Book.number("B2", "45657.5", style: 2)
                        + Book.number("C2", "45657", style: 3)))
        (book.formats, book.styles) = ([(164, "dd\\.mm\\.yyyy\\ hh:mm"), (14, "0.00")], [0, 15, 164, 14])
        #expect(try csv(book, select: "a, b, c") == "a,b,c\n2024-12-31,2024-12-31T12:00:00Z,45657\n")
    }

    @Test("duckdb-excel#38: the second column of dates has its values although the first one is null")
    func issue38() throws {
        var book = Book(
            rows: Self.header("A", "B")
                + Book.row(2, "<c r=\"A2\" s=\"1\"/>" + Book.number("B2", "45657", style: 1))
                + Book.row(3, Book.number("A3", "45658", style: 1) + Book.number("B3", "45659", style: 1)))
        book.styles = [0, 14]
        #expect(try csv(book, select: "A, B") == "A,B\n,2024-12-31\n2025-01-01,2025-01-02\n")
    }

    @Test("duckdb-excel#89: the sheets of a workbook without a default style, with absolute targets and a prefix")
    func issue89() throws {
        for prefix in ["", "x:"] {
            for targets in ["", "/xl/"] {
                let rows =
                    prefix.isEmpty
                    ? Self.header("n") + Book.row(2, Book.number("A2", "1"))
                    : "<x:row><x:c t=\"inlineStr\"><x:is><x:t>n</x:t></x:is></x:c></x:row>"
                        + "<x:row><x:c><x:v>1</x:v></x:c></x:row>"
                var book = Book(rows: rows)
                (book.prefix, book.targetFolder) = (prefix, targets)
                #expect(try csv(book, select: "n") == "n\n1\n", "\(prefix) \(targets)")
            }
        }
    }
}
