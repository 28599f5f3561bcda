/// A writer of a workbook; the same rows always result in the same bytes.
///
/// The sheets are written one after the other: call ``beginSheet()``, ``append(_:)`` and ``endSheet()`` for each of
/// them, and at the end ``finish()``.
package struct WorkbookWriter {
    /// The number of the style of cells with a date, a date-time and a time.
    package static let dateStyle = 1
    package static let dateTimeStyle = 2
    package static let timeStyle = 3
    /// The maximum count of characters in a cell, in UTF-16 units.
    package static let maximumText = 32_767
    /// The maximum count of characters in the name of a sheet.
    private static let longestName = 31

    private var zip: ZipWriter
    /// The count of sheets that were begun.
    private var count = 0

    /// Creates a writer, and writes all parts before the sheets.
    ///
    /// - Parameters:
    ///   - sheets: The names of the sheets, at least one; spreadsheets must allow them, as those of ``sheetNames(_:)``.
    ///   - output: A closure that writes bytes.
    /// - Throws: The errors of the output.
    package init(sheets: [String], output: @escaping ([UInt8]) throws -> Void) throws {
        zip = ZipWriter(output: output)
        func add(_ name: String, _ text: String) throws {
            try zip.add(name, Array((Self.declaration + text).utf8))
        }
        let parts = sheets.indices.map { ("worksheet", Self.part(ofSheet: $0 + 1)) }
        try add("[Content_Types].xml", Self.contentTypes(parts.map(\.1)))
        try add("_rels/.rels", Self.relationships([("officeDocument", "xl/workbook.xml")]))
        try add("xl/workbook.xml", Self.workbook(sheets))
        try add("xl/_rels/workbook.xml.rels", Self.relationships(parts + [("styles", "styles.xml")]))
        try add("xl/styles.xml", Self.styles)
    }

    private static func part(ofSheet number: Int) -> String { "worksheets/sheet\(number).xml" }

    /// Begins the next sheet.
    package mutating func beginSheet() throws {
        count += 1
        try zip.begin("xl/" + Self.part(ofSheet: count))
        try append(Array((Self.declaration + Self.sheetBeginning).utf8))
    }

    /// Appends XML of rows to the sheet.
    package mutating func append(_ rows: [UInt8]) throws { try zip.append(rows) }

    /// Ends the sheet.
    package mutating func endSheet() throws {
        try zip.append(Array(Self.sheetEnd.utf8))
        try zip.end()
    }

    /// Writes the end of the workbook.
    package mutating func finish() throws { try zip.finish() }

    /// Returns distinct names of sheets that spreadsheets allow.
    ///
    /// Characters that are not allowed become `_`, and a name has at most 31 characters in UTF-16. A number follows a
    /// name that another sheet has already, in upper or lower case.
    package static func sheetNames(_ names: [String]) -> [String] {
        var used: Set<String> = []
        return names.map { name in
            let whole = sheetName(name)
            var (result, number) = (whole, 1)
            while !used.insert(result.lowercased()).inserted {
                number += 1
                let suffix = " \(number)"
                var start = whole.unicodeScalars[...]
                while start.reduce(0, { $0 + UTF16.width($1) }) + suffix.count > longestName { start.removeLast() }
                result = String(start) + suffix
            }
            return result
        }
    }

    private static func sheetName(_ name: String) -> String {
        var result = ""
        for character in name.unicodeScalars {
            let isAllowed = character.value >= 0x20 && !"[]:*?/\\".unicodeScalars.contains(character)
            let next = isAllowed ? String(character) : "_"
            guard result.utf16.count + next.utf16.count <= longestName else { break }
            result += next
        }
        if result.hasPrefix("'") { result = "_" + result.dropFirst() }
        if result.hasSuffix("'") { result = result.dropLast() + "_" }
        // Spreadsheets use the name for a sheet of their own.
        if result.lowercased() == "history" { result += "_" }
        return result.isEmpty ? "Sheet1" : result
    }

    /// Appends a text to XML; characters that XML does not allow become escapes such as `_x0001_`.
    ///
    /// - Parameters:
    ///   - text: A text in valid UTF-8.
    ///   - append: A closure that receives the bytes.
    @inline(__always)
    package static func escape(_ text: UnsafeBufferPointer<UInt8>, _ append: (UInt8) -> Void) {
        func write(_ text: StaticString) { text.withUTF8Buffer { for byte in $0 { append(byte) } } }
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "&"): write("&amp;")
            case UInt8(ascii: "<"): write("&lt;")
            case UInt8(ascii: ">"): write("&gt;")
            case 0x09, 0x0A: append(byte)
            case 0..<0x20:
                write(byte < 0x10 ? "_x000" : "_x001")
                append(hexadecimal(byte & 15))
                write("_")
            case UInt8(ascii: "_") where isEscape(text, at: index): write("_x005F_")
            // U+FFFE and U+FFFF.
            case 0xEF where index + 2 < text.count && text[index + 1] == 0xBF && text[index + 2] >= 0xBE:
                write(text[index + 2] == 0xBE ? "_xFFFE_" : "_xFFFF_")
            case 0xBF where index > 0 && text[index - 1] == 0xEF && index + 1 < text.count && text[index + 1] >= 0xBE:
                break
            case 0xBE... where index > 1 && text[index - 1] == 0xBF && text[index - 2] == 0xEF: break
            default: append(byte)
            }
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x41 + digit - 10 }

    /// Returns a Boolean value that indicates whether a text has the form of an escape at an index.
    private static func isEscape(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard index + 6 < text.count, text[index + 1] == UInt8(ascii: "x"), text[index + 6] == UInt8(ascii: "_") else {
            return false
        }
        return (2...5).allSatisfy { RichText.isHexadecimal(text[index + $0]) }
    }

    // MARK: Parts

    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    private static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    private static let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    private static let package = "http://schemas.openxmlformats.org/package/2006"
    private static let mediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml"

    private static func contentTypes(_ sheets: [String]) -> String {
        let overrides = sheets.map {
            "<Override PartName=\"/xl/\($0)\" ContentType=\"\(mediaType).worksheet+xml\"/>"
        }
        return """
            <Types xmlns="\(package)/content-types">\
            <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
            <Default Extension="xml" ContentType="application/xml"/>\
            <Override PartName="/xl/workbook.xml" ContentType="\(mediaType).sheet.main+xml"/>\
            \(overrides.joined())\
            <Override PartName="/xl/styles.xml" ContentType="\(mediaType).styles+xml"/>\
            </Types>
            """
    }

    private static func relationships(_ targets: [(kind: String, target: String)]) -> String {
        let items = targets.enumerated().map {
            "<Relationship Id=\"rId\($0 + 1)\" Type=\"\(office)/\($1.kind)\" Target=\"\($1.target)\"/>"
        }
        return "<Relationships xmlns=\"\(package)/relationships\">\(items.joined())</Relationships>"
    }

    private static func workbook(_ names: [String]) -> String {
        let sheets = names.enumerated().map { index, name in
            var escaped: [UInt8] = []
            Array(name.utf8).withUnsafeBufferPointer { name in
                escape(name) { byte in
                    if byte == UInt8(ascii: "\"") { escaped += "&quot;".utf8 } else { escaped.append(byte) }
                }
            }
            return "<sheet name=\"\(String(decoding: escaped, as: UTF8.self))\" sheetId=\"\(index + 1)\" "
                + "r:id=\"rId\(index + 1)\"/>"
        }
        return "<workbook xmlns=\"\(main)\" xmlns:r=\"\(office)\"><sheets>\(sheets.joined())</sheets></workbook>"
    }

    private static let styles = """
        <styleSheet xmlns="\(main)"><numFmts count="3">\
        <numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>\
        <numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>\
        <numFmt numFmtId="166" formatCode="hh:mm:ss"/></numFmts>\
        <fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>\
        <fills count="2"><fill><patternFill patternType="none"/></fill>\
        <fill><patternFill patternType="gray125"/></fill></fills>\
        <borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
        <cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
        <cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
        <xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
        <xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
        <xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>\
        <cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>
        """

    /// The columns are wide enough for dates and times.
    private static let sheetBeginning =
        "<worksheet xmlns=\"\(main)\"><sheetFormatPr baseColWidth=\"16\" defaultRowHeight=\"15\"/><sheetData>"
    private static let sheetEnd = "</sheetData></worksheet>"
}
