import StrataContainers
import StrataTestSupport
import Testing

private typealias Book = TestWorkbook

@Suite("Sheets of workbooks")
struct SheetReaderTests {
    private let folder = TestFolder()

    private func workbook(_ book: TestWorkbook) throws -> Workbook {
        try Workbook(try ZipArchive(try folder.file(try book.bytes())))
    }

    /// Returns the cells of a sheet: one line for each row, with the addresses, kinds and texts of its cells.
    private func cells(_ book: TestWorkbook, sheet: Int = 0) throws -> [String] {
        let workbook = try workbook(book)
        var reader = try workbook.reader(of: workbook.sheets[sheet])
        var lines: [String] = []
        while try reader.next() {
            let (row, bytes) = (reader.row, reader.bytes)
            lines.append(
                reader.cells.map { cell in
                    CellAddress(column: cell.column, row: row).text + " \(cell.kind): "
                        + String(decoding: bytes[cell.text], as: UTF8.self)
                }.joined(separator: ", "))
        }
        return lines
    }

    // MARK: Cells

    @Test("the address decides the column, and a cell without one follows the previous cell")
    func addresses() throws {
        let rows =
            Book.row(2, Book.number("B2", "1") + Book.number("E2", "2") + "<c><v>3</v></c>")
            + "<row><c/><c><v>4</v></c></row>" + Book.row(9, Book.number("AA9", "5") + Book.number("XFD9", "6"))
        var book = Book(rows: rows)
        // The dimension is wrong in files of some programs.
        book.sheets[0].before = "<dimension ref=\"A1\"/>"
        #expect(
            try cells(book) == [
                "B2 number: 1, E2 number: 2, F2 number: 3", "B3 number: 4", "AA9 number: 5, XFD9 number: 6",
            ])
    }

    @Test(
        "invalid addresses are errors",
        arguments: [
            Book.row(1, Book.number("A2", "1")), Book.row(1, Book.number("B1", "1") + Book.number("A1", "1")),
            Book.row(1, Book.number("A1", "1") + Book.number("A1", "1")), Book.row(1, Book.number("1A", "1")),
            Book.row(1, Book.number("XFE1", "1")), Book.row(2, "") + Book.row(2, ""), Book.row(0, ""),
            Book.row(1_048_577, ""), "<row r=\"x\"/>", Book.row(1, Book.number("XFD1", "1") + "<c><v>2</v></c>"),
        ])
    func invalidAddresses(rows: String) throws {
        #expect(throws: ContainerError.self) { try cells(Book(rows: rows)) }
    }

    @Test("each type of cell is read, and an error has its address")
    func types() throws {
        var book = Book(
            rows: Book.row(
                1,
                "<c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"b\"><v>1</v></c><c r=\"C1\" t=\"str\"><f>x</f><v>f</v></c>"
                    + "<c r=\"D1\" t=\"e\"><v>#DIV/0!</v></c><c r=\"E1\" t=\"d\"><v>2024-02-29</v></c>"
                    + "<c r=\"F1\" t=\"n\"><v>2</v></c><c r=\"G1\"/><c r=\"H1\" s=\"0\"><v/></c>"
                    + "<c r=\"I1\"><f>1+1</f></c><c r=\"J1\"><f>1+1</f><v>2</v></c>"
                    + "<c r=\"K1\" t=\"str\"><f>x</f><v></v></c><c r=\"L1\" t=\"s\"><v>9</v></c>"
                    + "<c r=\"M1\" t=\"x\"><v>9</v></c><c r=\"N1\"><v>abc</v></c><c r=\"O1\" t=\"b\"><v>2</v></c>"
                    + "<c r=\"P1\" t=\"inlineStr\"><is/></c><c r=\"Q1\"><v>nan</v></c>"))
        book.strings = "<si><t>one</t></si>"
        #expect(
            try cells(book) == [
                [
                    "A1 text: one", "B1 boolean: true", "C1 text: f", "D1 fault: the cell contains the error #DIV/0!",
                    "E1 date: 2024-02-29", "F1 number: 2",
                    "I1 fault: the formula has no stored value; calculate and save the workbook", "J1 number: 2",
                    "K1 text: ", "L1 fault: the shared text of the cell does not exist",
                    "M1 fault: the type of the cell is unknown", "N1 fault: “abc” is not a number",
                    "O1 fault: the Boolean value of the cell is invalid", "P1 text: ",
                    "Q1 fault: “nan” is not a number",
                ].joined(separator: ", ")
            ])
    }

    @Test("a text joins its runs without phonetic texts, and keeps spaces and escapes")
    func texts() throws {
        var book = Book(
            rows: Book.row(
                1,
                (0..<5).map { "<c t=\"s\"><v>\($0)</v></c>" }.joined() + Book.text("F1", "a_x000D_b")
                    + "<c r=\"G1\" t=\"inlineStr\"><is><r><rPr><b/></rPr><t>b</t></r><r><t>c</t></r></is></c>"))
        book.strings = """
            <si><t xml:space="preserve">  a
            b </t></si>
            <si><r><rPr><b/></rPr><t>bold</t></r><r><t xml:space="preserve"> and</t></r><rPh sb="0"><t>no</t></rPh></si>
            <si/><si><t>_x005F_x0041_ _x0041_ _x00_ _xZZZZ_</t></si><si><t>&lt;&#233;&gt;</t></si>
            """
        #expect(
            try cells(book) == [
                "A1 text:   a\nb , B1 text: bold and, C1 text: , D1 text: _x0041_ A _x00_ _xZZZZ_, E1 text: <é>, "
                    + "F1 text: a\rb, G1 text: bc"
            ])
    }

    @Test(
        "a number has the shortest text of its double",
        arguments: [
            ("1", "1"), ("-2.5", "-2.5"), ("0.10000000000000001", "0.1"), ("1.0", "1"), ("1E3", "1000"),
            ("2.50", "2.5"), ("007", "7"), ("-0", "0"), ("0", "0"), ("1e20", "1e+20"), ("1.5E-7", "1.5e-07"),
            ("0.05", "0.05"), ("123456789012345", "123456789012345"),
            ("12345678901234567890", "1.2345678901234567e+19"),
            ("0.30000000000000004", "0.30000000000000004"), (" 1", nil), ("1,5", nil), ("0x10", nil), ("1e999", nil),
            (".5", "0.5"),
        ] as [(String, String?)])
    func numbers(text: String, expected: String?) throws {
        let found = try cells(Book(rows: Book.row(1, Book.number("A1", text))))
        #expect(found == [expected.map { "A1 number: \($0)" } ?? "A1 fault: “\(text)” is not a number"])
    }

    // MARK: Dates

    @Test(
        "the format of the style decides whether a number is a date",
        arguments: [
            (14, nil, "date"), (22, nil, "dateTime"), (18, nil, "time"), (45, nil, "time"), (46, nil, "duration"),
            (47, nil, "time"), (0, nil, "number"), (9, nil, "number"), (27, nil, "local"), (58, nil, "local"),
            // The workbook's own format has precedence, also for the number of a built-in one.
            (14, "0.00", "number"), (164, "yyyy-mm-dd", "date"), (164, "mmm yy", "date"), (164, "h:mm", "time"),
            (164, "mm:ss", "time"), (164, "d/m/yyyy h:mm", "dateTime"), (164, "[h]:mm", "duration"),
            (164, "[mm]:ss", "duration"), (164, "[ss]", "duration"), (164, "General", "number"),
            (164, "0.00E+00", "number"), (164, "#,##0 \\d", "number"), (164, "0 &quot;days&quot;", "number"),
            (164, "[Red]0;[Blue]0", "number"), (164, "[$-409]d mmm", "date"), (164, "0;yyyy", "number"),
            (164, "_d0", "number"), (164, "*d0", "number"), (164, "h:mm AM/PM", "time"), (164, "@", "number"),
            (164, "00000", "number"), (164, "[$-F800]dddd, mmmm dd, yyyy", "date"), (164, "m", "date"),
            (164, "mm:ss.0", "time"), (164, "[DBNum1]yyyy", "date"),
        ] as [(Int, String?, String)])
    func formats(number: Int, code: String?, expected: String) throws {
        let format =
            code.map { NumberFormat(code: $0.replacing("&quot;", with: "\"")) } ?? NumberFormat(builtIn: number)
        #expect(String(describing: format) == expected)
        var book = Book(rows: Book.row(1, Book.number("A1", "45000.5", style: 1)))
        book.formats = code.map { [(number, $0)] } ?? []
        book.styles = [0, number]
        let isDate = ["date", "time", "dateTime"].contains(expected)
        #expect(try cells(book) == [isDate ? "A1 date: 2023-03-15T12:00:00Z" : "A1 number: 45000.5"])
    }

    @Test(
        "serial numbers are dates of both epochs",
        arguments: [
            (1, "1", "1900-01-01", "1904-01-02"), (1, "59", "1900-02-28", "1904-02-29"),
            (1, "60", nil, "1904-03-01"), (1, "61", "1900-03-01", "1904-03-02"),
            (1, "0", nil, "1904-01-01"), (1, "45351", "2024-02-29", "2028-03-01"),
            (1, "2958465", "9999-12-31", nil), (1, "2957003", "9995-12-30", "9999-12-31"), (1, "2958466", nil, nil),
            (1, "-1", nil, nil), (1, "1e300", nil, nil),
            (2, "45351", "2024-02-29T00:00:00Z", "2028-03-01T00:00:00Z"),
            (2, "45351.520833333336", "2024-02-29T12:30:00Z", "2028-03-01T12:30:00Z"),
            // The last millisecond of a day is rounded to the next day.
            (2, "45351.999999999", "2024-03-01T00:00:00Z", "2028-03-02T00:00:00Z"),
            (2, "45351.0000028935185", "2024-02-29T00:00:00.250Z", "2028-03-01T00:00:00.250Z"),
            (3, "0.5", "12:00:00", "12:00:00"), (3, "0", "00:00:00", "00:00:00"),
            (3, "0.99999999999", "00:00:00", "00:00:00"), (3, "0.3543171296296296", "08:30:13", "08:30:13"),
        ] as [(Int, String, String?, String?)])
    func serials(style: Int, serial: String, from1900: String?, from1904: String?) throws {
        for (isFrom1904, expected) in [(false, from1900), (true, from1904)] {
            var book = Book(rows: Book.row(1, Book.number("A1", serial, style: style)))
            book.styles = [0, 14, 22, 21]
            book.isFrom1904 = isFrom1904
            let found = try cells(book)[0]
            if let expected { #expect(found == "A1 date: \(expected)") } else { #expect(found.contains("fault")) }
        }
    }

    @Test("the text of a date and its serial number are inverse")
    func written() throws {
        for (text, format, number) in [
            ("2024-02-29", NumberFormat.date, 45_351), ("1900-03-01", .date, 61), ("1900-02-28", .date, nil),
            ("9999-12-31", .date, 2_958_465), ("2024-02-29T12:00:00Z", .dateTime, 45_351.5), ("06:00:00", .time, 0.25),
            ("06:00:00.5", .time, 0.250_005_787_037_037_04), ("06:00:00.1234", .time, nil),
            ("2024-02-29T12:00:00.1234Z", .dateTime, nil), ("+12024-02-29", .date, nil),
        ] as [(String, NumberFormat, Double?)] {
            let serial = SerialDate.serial(of: Array(text.utf8).span, as: format)
            #expect(serial == number, "\(text)")
        }
    }

    // MARK: Workbooks

    @Test("sheets are found by relationships with absolute targets and any prefix, without styles")
    func structure() throws {
        var book = Book([
            .init("One", Book.row(1, Book.number("A1", "1"))), .init("Zwei &amp; 2", "", state: "hidden"),
            .init("Three", Book.row(1, Book.number("A1", "3")), state: "veryHidden"),
        ])
        book.targetFolder = "/xl/"
        book.prefix = "x:"
        let found = try workbook(book)
        #expect(found.sheets.map(\.name) == ["One", "Zwei & 2", "Three"])
        #expect(found.sheets.map(\.isHidden) == [false, true, true])
        #expect(try found.sheets.map { try found.hasCells($0) } == [true, false, true])
    }

    @Test("empty and formatted cells are no values of a sheet")
    func emptySheets() throws {
        for rows in ["", Book.row(1, ""), Book.row(1, "<c r=\"A1\" s=\"1\"/>")] {
            let book = try workbook(Book(rows: rows))
            #expect(try !book.hasCells(book.sheets[0]))
        }
    }

    @Test("hidden rows and columns, merged ranges and long numbers are counted")
    func findings() throws {
        var book = Book(
            rows: "<row r=\"1\" hidden=\"1\"><c><v>0.12345678901234567</v></c></row><row r=\"2\" hidden=\"true\"/>"
                + "<row r=\"3\" hidden=\"0\"><c><v>1</v></c><c s=\"1\"><v>7</v></c></row>")
        book.sheets[0].before = "<cols><col min=\"2\" max=\"4\" hidden=\"1\"/><col min=\"5\" max=\"5\"/></cols>"
        book.sheets[0].after =
            "<autoFilter ref=\"A1:B2\"/><mergeCells count=\"2\"><mergeCell ref=\"A1:B2\"/><mergeCell ref=\"C1:C2\"/>"
            + "</mergeCells>"
        book.styles = [0, 27]
        let workbook = try workbook(book)
        var reader = try workbook.reader(of: workbook.sheets[0])
        while try reader.next() {}
        let findings = reader.findings
        #expect([findings.hiddenRows, findings.hiddenColumns, findings.mergedRanges] == [2, 3, 2])
        #expect(findings.longNumbers == 1)
        #expect(findings.firstLongNumber == CellAddress(column: 0, row: 1))
        #expect(findings.firstLocalFormat == CellAddress(column: 1, row: 3))
    }

    @Test("other formats of spreadsheets are rejected with a hint")
    func otherFormats() throws {
        func error(_ name: String) throws -> String? {
            try message { _ = try Workbook(try ZipArchive(try folder.file(try zipped([(name, [])])))) }
        }
        #expect(try error("xl/workbook.bin") == "the workbook is in the binary format (.xlsb); save it as .xlsx")
        #expect(try error("mimetype") == "the document is in an OpenDocument format; save it as .xlsx")
        #expect(try error("word/document.xml") == "the archive does not contain a workbook")
    }

    @Test("documents with a type, long cells and too many levels are errors")
    func hostile() throws {
        var book = Book(rows: Book.row(1, Book.number("A1", "1")))
        book.sheets[0].before = String(repeating: "<a>", count: 300)
        #expect(throws: ContainerError.self) { try cells(book) }
        book = Book(rows: Book.row(1, Book.text("A1", String(repeating: "x", count: SheetReader.maximumCell + 1))))
        #expect(throws: ContainerError.self) { try cells(book) }
        book = Book(rows: "")
        book.strings = "<!DOCTYPE x>"
        #expect(throws: ContainerError.self) { try cells(book) }
    }

    @Test(
        "a changed workbook is an error or has cells, without a crash", arguments: Seeds.batches(of: 300, all: 50_000))
    func mutated(seed: UInt64) throws {
        var book = Book(
            rows: Book.row(1, "<c r=\"A1\" t=\"s\"><v>0</v></c>" + Book.text("B1", "x_x0041_"))
                + Book.row(2, Book.number("A2", "45000.5", style: 1) + "<c r=\"B2\" t=\"e\"><v>#N/A</v></c>"))
        book.strings = "<si><r><t>a</t></r></si>"
        book.styles = [0, 14]
        book.formats = [(165, "[h]:mm;\"x\"")]
        let parts = ["xl/workbook.xml", "xl/styles.xml", "xl/sharedStrings.xml", "xl/worksheets/sheet1.xml"]
        let archive = try ZipArchive(try folder.file(try book.bytes()))
        let entries = try archive.entries.map { ($0.name, try archive.contents(of: $0, atMost: 1 << 20)) }
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let part = parts.randomElement(using: &generator)
            let changed = entries.map { name, bytes -> (name: String, bytes: [UInt8]) in
                guard name == part else { return (name, bytes) }
                var bytes = bytes
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let place = Int.random(in: 60..<bytes.count, using: &generator)
                    switch Int.random(in: 0...2, using: &generator) {
                    case 0: bytes[place] = UInt8.random(in: 0x20...0x7E, using: &generator)
                    case 1: bytes.remove(at: place)
                    default: bytes.insert(contentsOf: Array("9<\">9".utf8), at: place)
                    }
                }
                return (name, bytes)
            }
            do {
                let workbook = try Workbook(try ZipArchive(try folder.file(try zipped(changed, isDeflated: false))))
                for sheet in workbook.sheets {
                    var reader = try workbook.reader(of: sheet)
                    while try reader.next() {}
                }
            } catch is ContainerError {}
        }
    }

    // MARK: Addresses and names

    private static func address(_ text: String) -> CellAddress? { CellAddress(Array(text.utf8).span) }

    @Test("addresses and ranges are read and written")
    func addressTexts() throws {
        for (text, column, row) in [("A1", 0, 1), ("Z9", 25, 9), ("AA10", 26, 10), ("XFD1048576", 16_383, 1_048_576)] {
            let address = Self.address(text)
            #expect(address == CellAddress(column: column, row: row))
            #expect(address?.text == text)
        }
        for text in ["", "A", "1", "A0", "XFE1", "A1048577", "A1B", "-1", "ÄA1"] {
            #expect(Self.address(text) == nil, "\(text)")
        }
        #expect(CellRange("B2:D9") == CellRange(columns: 1...3, rows: 2...9))
        for text in ["B2", "D2:B9", "B9:D2", "B2:D9:E1", ":", "B2:"] { #expect(CellRange(text) == nil, "\(text)") }
    }

    @Test("the names of sheets are distinct and have at most 31 characters, all of them allowed")
    func sheetNames() {
        let long = String(repeating: "é", count: 40)
        #expect(
            WorkbookWriter.sheetNames(["a[b]:c*d?e/f\\g", "'a'", "", "A_b__c_d_e_f_g", "_a_", "_A_", "History"])
                == ["a_b__c_d_e_f_g", "_a_", "Sheet1", "A_b__c_d_e_f_g 2", "_a_ 2", "_A_ 3", "History_"])
        #expect(
            WorkbookWriter.sheetNames([long, long, long + "😀"])
                == [String(long.prefix(31)), long.prefix(29) + " 2", long.prefix(29) + " 3"])
        let wide = WorkbookWriter.sheetNames(Array(repeating: String(repeating: "😀", count: 20), count: 12))
        #expect(Set(wide).count == 12 && wide.allSatisfy { $0.utf16.count <= 31 })
    }

    @Test("every text is written and read unchanged")
    func escapes() throws {
        let texts = [
            "=1+1", "<a>&\"'", "_x0041_", "_x005F_x0041_", "\u{1}\u{1F}\u{FFFF}\u{FFFE}\u{7F}", "a\r\nb\tc", "  x ",
            "\u{FEFF}", "_", "x_", "_x", "_x004", "😀", "\u{FFFD}\u{FFFF}\u{FFFD}",
        ]
        let sink = ByteSink()
        var writer = try WorkbookWriter(sheets: ["S"]) { sink.bytes += $0 }
        try writer.beginSheet()
        for text in texts {
            var row = Array("<row><c t=\"inlineStr\"><is><t xml:space=\"preserve\">".utf8)
            Array(text.utf8).withUnsafeBufferPointer { WorkbookWriter.escape($0) { row.append($0) } }
            try writer.append(row + Array("</t></is></c></row>".utf8))
        }
        try writer.endSheet()
        try writer.finish()
        let workbook = try Workbook(try ZipArchive(try folder.file(sink.bytes)))
        var reader = try workbook.reader(of: workbook.sheets[0])
        var found: [String] = []
        while try reader.next() { found.append(String(decoding: reader.bytes, as: UTF8.self)) }
        #expect(found == texts)
    }
}
