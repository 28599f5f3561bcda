/// A workbook of a spreadsheet in the format `.xlsx` (ECMA-376).
package final class Workbook: Sendable {
    /// A sheet with cells.
    package struct Sheet: Sendable {
        /// The name that the user sees.
        package let name: String
        /// A Boolean value that indicates whether the sheet is hidden.
        package let isHidden: Bool
        let part: String
    }

    /// The maximum size in bytes of the parts that are read into memory: the list of sheets and the styles.
    private static let maximumPart = 64 << 20
    /// The maximum count of sheets and of styles; spreadsheets have at most 65,490 styles.
    private static let maximumSheets = 10_000
    private static let maximumStyles = 100_000

    /// The sheets with cells in their order; charts are not included.
    package let sheets: [Sheet]
    let dates: SerialDate
    /// The meanings of numbers, by the number of the cell's style.
    let styles: [NumberFormat]
    private let archive: ZipArchive
    private let stringsPart: String?

    /// Returns a Boolean value that indicates whether an archive contains a workbook, also in another format.
    package static func isWorkbook(_ archive: ZipArchive) -> Bool {
        archive.entry(named: "xl/workbook.xml") != nil || archive.entry(named: "xl/workbook.bin") != nil
            || (archive.entry(named: "[Content_Types].xml") != nil && archive.entry(named: "_rels/.rels") != nil)
            || archive.entry(named: "mimetype") != nil
    }

    /// Reads the list of sheets and the styles of a workbook.
    ///
    /// - Parameter archive: The archive of the workbook.
    /// - Throws: ``ContainerError`` if the archive does not contain a workbook that can be read.
    package init(_ archive: ZipArchive) throws(ContainerError) {
        self.archive = archive
        if archive.entry(named: "xl/workbook.bin") != nil {
            throw ContainerError(.unsupported, "the workbook is in the binary format (.xlsb); save it as .xlsx")
        }
        if archive.entry(named: "mimetype") != nil {
            throw ContainerError(.unsupported, "the document is in an OpenDocument format; save it as .xlsx")
        }
        let root = try Self.relationships(of: "", in: archive).values.first { $0.kind == "officeDocument" }
        let part = root?.target ?? "xl/workbook.xml"
        guard let entry = archive.entry(named: part) else {
            throw ContainerError(.malformed, "the archive does not contain a workbook")
        }
        let relationships = try Self.relationships(of: part, in: archive)
        var sheets: [Sheet] = []
        var isFrom1904 = false
        do throws(ContainerError) {
            var xml = try XMLPullReader(archive.source(of: entry))
            while true {
                let event = try xml.next()
                if event == .finished { break }
                guard event == .start else { continue }
                if xml.depth == 2, xml.isNamed("workbookPr") {
                    isFrom1904 = ["1", "true"].contains(xml.attribute("date1904"))
                } else if xml.depth == 3, xml.isNamed("sheet"), let name = xml.attribute("name"),
                    let id = xml.attribute("id"), let target = relationships[id], target.kind == "worksheet"
                {
                    guard sheets.count < Self.maximumSheets else {
                        throw ContainerError(.unsupported, "more than \(Self.maximumSheets) sheets")
                    }
                    let state = xml.attribute("state") ?? "visible"
                    sheets.append(Sheet(name: name, isHidden: state != "visible", part: target.target))
                }
            }
        } catch { throw error.inEntry(part) }
        self.sheets = sheets
        dates = SerialDate(isFrom1904: isFrom1904)
        stringsPart = relationships.values.first { $0.kind == "sharedStrings" }?.target
        let stylesPart = relationships.values.first { $0.kind == "styles" }?.target
        styles =
            try stylesPart.flatMap { archive.entry(named: $0) }.map { entry throws(ContainerError) in
                do throws(ContainerError) { return try Self.styles(archive.source(of: entry)) } catch {
                    throw error.inEntry(entry.name)
                }
            } ?? []
    }

    // MARK: Relationships

    private struct Relationship {
        /// The last component of the type, because standard and strict documents differ in the others.
        let kind: String
        let target: String
    }

    /// Returns the relationships of a part to others in the archive, by their identifiers.
    private static func relationships(
        of part: String, in archive: ZipArchive
    ) throws(ContainerError) -> [String: Relationship] {
        let folder = part.split(separator: "/").dropLast().map(String.init)
        let file = part.split(separator: "/").last.map(String.init) ?? ""
        let name = (folder + ["_rels", file + ".rels"]).joined(separator: "/")
        guard let entry = archive.entry(named: name) else { return [:] }
        var found: [String: Relationship] = [:]
        do throws(ContainerError) {
            var xml = try XMLPullReader(ByteArraySource(archive.contents(of: entry, atMost: maximumPart)))
            while true {
                let event = try xml.next()
                if event == .finished { return found }
                guard event == .start, xml.isNamed("Relationship"), xml.attribute("TargetMode") != "External",
                    let id = xml.attribute("Id"), let type = xml.attribute("Type"),
                    let target = xml.attribute("Target")
                else { continue }
                found[id] = Relationship(
                    kind: type.split(separator: "/").last.map(String.init) ?? "",
                    target: resolved(target, in: folder))
            }
        } catch { throw error.inEntry(name) }
    }

    /// Returns the path of a part in the archive; a target that begins with a slash is absolute.
    private static func resolved(_ target: String, in folder: [String]) -> String {
        var path = target.hasPrefix("/") ? [] : folder
        for component in target.split(separator: "/") {
            switch component {
            case ".": break
            case "..": _ = path.popLast()
            default: path.append(String(component))
            }
        }
        return path.joined(separator: "/")
    }

    // MARK: Styles

    private static func styles(_ source: any ByteSource) throws(ContainerError) -> [NumberFormat] {
        var xml = try XMLPullReader(source)
        var custom: [Int: NumberFormat] = [:]
        var numbers: [Int] = []
        var isInFormats = false
        while true {
            let event = try xml.next()
            if event == .finished { break }
            guard event == .start else { continue }
            if xml.depth == 2 { isInFormats = xml.isNamed("cellXfs") }
            if xml.isNamed("numFmt"), xml.depth == 3, let id = xml.attribute("numFmtId").flatMap({ Int($0) }),
                let code = xml.attribute("formatCode")
            {
                custom[id] = NumberFormat(code: code)
            } else if isInFormats, xml.depth == 3, xml.isNamed("xf") {
                numbers.append(xml.attribute("numFmtId").flatMap { Int($0) } ?? 0)
            }
            guard custom.count <= maximumStyles, numbers.count <= maximumStyles else {
                throw ContainerError(.unsupported, "more than \(maximumStyles) styles")
            }
        }
        return numbers.map { custom[$0] ?? NumberFormat(builtIn: $0) }
    }

    // MARK: Sheets

    /// Returns a reader of a sheet's rows.
    package func reader(of sheet: Sheet) throws(ContainerError) -> SheetReader {
        try SheetReader(self, sheet, strings: try sharedStrings())
    }

    func source(of sheet: Sheet) throws(ContainerError) -> any ByteSource {
        guard let entry = archive.entry(named: sheet.part) else {
            throw ContainerError(.malformed, "the workbook does not contain the part of the sheet", entry: sheet.part)
        }
        return try archive.source(of: entry)
    }

    private func sharedStrings() throws(ContainerError) -> SharedStrings {
        guard let stringsPart, let entry = archive.entry(named: stringsPart) else { return SharedStrings() }
        do throws(ContainerError) { return try SharedStrings(archive.source(of: entry)) } catch {
            throw error.inEntry(stringsPart)
        }
    }

    /// Returns a Boolean value that indicates whether a sheet has a cell with a value.
    package func hasCells(_ sheet: Sheet) throws(ContainerError) -> Bool {
        do throws(ContainerError) {
            var xml = try XMLPullReader(try source(of: sheet))
            var isInCell = false
            while true {
                switch try xml.next() {
                case .start:
                    if xml.depth == 4 { isInCell = xml.isNamed("c") }
                    // An inline text and a formula are values too.
                    if isInCell, xml.depth > 4, !xml.isNamed("extLst") { return true }
                case .finished: return false
                case .end, .text: break
                }
            }
        } catch { throw error.inEntry(sheet.part) }
    }
}
