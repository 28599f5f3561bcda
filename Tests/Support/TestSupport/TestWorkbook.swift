import StrataContainers

/// A workbook that a test builds from the XML of its parts.
package struct TestWorkbook {
    /// A sheet of the workbook.
    package struct Sheet {
        package var name: String
        /// The XML of the rows.
        package var rows: String
        /// The XML before and after the element with the rows.
        package var before = ""
        package var after = ""
        package var state: String?

        /// Creates a sheet.
        package init(_ name: String, _ rows: String, before: String = "", after: String = "", state: String? = nil) {
            (self.name, self.rows, self.before, self.after, self.state) = (name, rows, before, after, state)
        }
    }

    package var sheets: [Sheet]
    /// The XML of the shared texts; `nil` if the workbook has no such part.
    package var strings: String?
    /// The codes of number formats with their numbers, and the numbers of the formats of the styles.
    package var formats: [(number: Int, code: String)] = []
    package var styles: [Int]?
    package var isFrom1904 = false
    /// The prefix of the main namespace with its colon; empty for the default namespace.
    package var prefix = ""
    /// The beginning of the paths of parts in relationships.
    package var targetFolder = ""
    /// Further parts, by their names.
    package var others: [(name: String, text: String)] = []

    /// Creates a workbook with one sheet from the XML of its rows.
    package init(rows: String) { sheets = [Sheet("Sheet1", rows)] }

    /// Creates a workbook.
    package init(_ sheets: [Sheet]) { self.sheets = sheets }

    /// Returns the XML of a row with the XML of its cells.
    package static func row(_ number: Int, _ cells: String) -> String { "<row r=\"\(number)\">\(cells)</row>" }

    /// Returns the XML of a cell with an inline text.
    package static func text(_ address: String, _ text: String) -> String {
        "<c r=\"\(address)\" t=\"inlineStr\"><is><t>\(text)</t></is></c>"
    }

    /// Returns the XML of a cell with a number.
    package static func number(_ address: String, _ text: String, style: Int? = nil) -> String {
        "<c r=\"\(address)\"\(style.map { " s=\"\($0)\"" } ?? "")><v>\(text)</v></c>"
    }

    /// The bytes of the workbook.
    package func bytes() throws -> [UInt8] {
        let sink = Sink()
        var zip = ZipWriter { sink.bytes += $0 }
        func relationships(_ targets: [(String, String)]) -> String {
            let base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
            let items = targets.enumerated().map {
                "<Relationship Id=\"r\($0 + 1)\" Type=\"\(base)\($1.0)\" Target=\"\($1.1)\"/>"
            }
            return "<Relationships>\(items.joined())<Relationship Id=\"x\" Type=\"\(base)hyperlink\" "
                + "Target=\"http://example.com/\" TargetMode=\"External\"/></Relationships>"
        }
        func add(_ name: String, _ text: String) throws {
            try zip.add(name, Array(("<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + text).utf8))
        }
        func element(_ name: String, _ content: String) -> String {
            let space = "xmlns\(prefix.isEmpty ? "" : ":" + prefix.dropLast())=\"urn:main\""
            return "<\(prefix)\(name) \(space) xmlns:r=\"urn:r\">\(content)</\(prefix)\(name)>"
        }
        try add("[Content_Types].xml", "<Types/>")
        try add("_rels/.rels", relationships([("officeDocument", "xl/workbook.xml")]))
        let list = sheets.enumerated().map { index, sheet in
            "<\(prefix)sheet name=\"\(sheet.name)\" sheetId=\"\(index + 1)\" r:id=\"r\(index + 1)\""
                + "\(sheet.state.map { " state=\"\($0)\"" } ?? "")/>"
        }
        try add(
            "xl/workbook.xml",
            element(
                "workbook",
                "<\(prefix)workbookPr\(isFrom1904 ? " date1904=\"1\"" : "")/><\(prefix)sheets>\(list.joined())"
                    + "</\(prefix)sheets>"))
        var targets = sheets.indices.map { ("worksheet", "\(targetFolder)worksheets/sheet\($0 + 1).xml") }
        if strings != nil { targets.append(("sharedStrings", "\(targetFolder)sharedStrings.xml")) }
        if styles != nil { targets.append(("styles", "\(targetFolder)styles.xml")) }
        try add("xl/_rels/workbook.xml.rels", relationships(targets))
        if let strings { try add("xl/sharedStrings.xml", element("sst", strings)) }
        if let styles {
            let codes = formats.map { "<numFmt numFmtId=\"\($0.number)\" formatCode=\"\($0.code)\"/>" }
            try add(
                "xl/styles.xml",
                element(
                    "styleSheet",
                    "<numFmts>\(codes.joined())</numFmts><cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs><cellXfs>"
                        + styles.map { "<xf numFmtId=\"\($0)\"/>" }.joined() + "</cellXfs>"))
        }
        for (index, sheet) in sheets.enumerated() {
            try add(
                "xl/worksheets/sheet\(index + 1).xml",
                element(
                    "worksheet",
                    "\(sheet.before)<\(prefix)sheetData>\(sheet.rows)</\(prefix)sheetData>\(sheet.after)"))
        }
        for other in others { try add(other.name, other.text) }
        try zip.finish()
        return sink.bytes
    }

    private final class Sink { var bytes: [UInt8] = [] }
}
