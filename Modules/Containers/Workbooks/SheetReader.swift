/// A reader of the rows of a sheet, in the memory of one row and the shared texts.
package struct SheetReader: ~Copyable {
    /// A cell with a value.
    package struct Cell {
        /// The kinds of values.
        package enum Kind {
            case text, number, boolean, date
            /// An error, whose description is the text of the cell.
            case fault
        }

        /// The index of the column, from 0.
        package let column: Int
        package let kind: Kind
        /// The range of the text in ``SheetReader/bytes``.
        package let text: Range<Int>
    }

    /// The properties of a sheet that its values do not show.
    package struct Findings: Sendable {
        package var hiddenRows = 0
        package var hiddenColumns = 0
        package var mergedRanges = 0
        /// The count of numbers with more than 15 digits.
        package var longNumbers = 0
        package var firstLongNumber: CellAddress?
        /// The count of numbers whose format depends on the language of the spreadsheet program.
        package var localFormats = 0
        package var firstLocalFormat: CellAddress?
    }

    /// The maximum size of the text of a cell in bytes; spreadsheets allow 32,767 characters.
    package static let maximumCell = 1 << 20
    /// The maximum size of the texts of a row in bytes.
    package static let maximumRow = 64 << 20

    private let styles: [NumberFormat]
    private let dates: SerialDate
    private let strings: SharedStrings
    private let part: String
    private var xml: XMLPullReader
    private var isInData = false
    private var value: [UInt8] = []

    /// The number of the current row, from 1; 0 before the first row.
    package private(set) var row = 0
    /// The cells of the current row that have a value, in ascending order of their columns.
    package private(set) var cells: [Cell] = []
    /// The bytes that contain the texts of the cells.
    package private(set) var bytes: [UInt8] = []
    /// The properties of the sheet that were found so far; they are complete after the last row.
    package private(set) var findings = Findings()

    init(_ workbook: Workbook, _ sheet: Workbook.Sheet, strings: SharedStrings) throws(ContainerError) {
        (styles, dates, part, self.strings) = (workbook.styles, workbook.dates, sheet.part, strings)
        do throws(ContainerError) { xml = try XMLPullReader(try workbook.source(of: sheet)) } catch {
            throw error.inEntry(sheet.part)
        }
    }

    /// Reads the next row that the document contains; returns `false` at the end of the sheet.
    package mutating func next() throws(ContainerError) -> Bool {
        do throws(ContainerError) {
            while true {
                switch try xml.next() {
                case .finished: return false
                case .start:
                    if isInData, xml.depth == 3 {
                        guard xml.isNamed("row") else {
                            try xml.skipElement()
                            continue
                        }
                        try readRow()
                        return true
                    }
                    try noteElement()
                case .end: if xml.depth == 1 { isInData = false }
                case .text: break
                }
            }
        } catch { throw error.inEntry(part) }
    }

    private func error(_ message: String) -> ContainerError { ContainerError(.malformed, message, entry: part) }

    private mutating func noteElement() throws(ContainerError) {
        if xml.depth == 2, xml.isNamed("sheetData") {
            isInData = true
        } else if xml.depth == 3, xml.isNamed("mergeCell") {
            findings.mergedRanges += 1
        } else if xml.depth == 3, xml.isNamed("col"), isTrue("hidden") {
            let first = xml.attribute("min").flatMap { Int($0) } ?? 1
            let last = min(xml.attribute("max").flatMap { Int($0) } ?? first, CellAddress.maximumColumns)
            if 1...CellAddress.maximumColumns ~= first, last >= first { findings.hiddenColumns += last - first + 1 }
        }
    }

    private func isTrue(_ name: StaticString) -> Bool {
        xml.withAttribute(name) { $0.count == 1 ? $0[0] == UInt8(ascii: "1") : $0.count == 4 } ?? false
    }

    private mutating func readRow() throws(ContainerError) {
        cells.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        let number = xml.withAttribute("r", Self.integer) ?? row + 1
        guard let number, number > row, number <= CellAddress.maximumRows else {
            throw error("a row after row \(row) has an invalid number")
        }
        row = number
        if isTrue("hidden") { findings.hiddenRows += 1 }
        var column = -1
        while true {
            switch try xml.next() {
            case .start:
                guard xml.isNamed("c") else {
                    try xml.skipElement()
                    continue
                }
                try readCell(&column)
                guard bytes.count <= Self.maximumRow else {
                    throw error("row \(row) has more than \(Self.maximumRow) bytes")
                }
            case .end: return
            case .text: break
            case .finished: return
            }
        }
    }

    private static func integer(_ text: Span<UInt8>) -> Int? {
        guard !text.isEmpty, text.count <= 9 else { return nil }
        var value = 0
        for index in text.indices {
            guard 0x30...0x39 ~= text[index] else { return nil }
            value = value * 10 + Int(text[index] - 0x30)
        }
        return value
    }

    // MARK: Cells

    /// The values of a cell's attribute `t`.
    private enum CellType {
        case number, shared, inline, text, boolean, error, date, unknown

        init(_ text: Span<UInt8>) {
            self =
                switch (text.count, text.isEmpty ? 0 : text[0]) {
                case (1, UInt8(ascii: "s")): .shared
                case (1, UInt8(ascii: "n")): .number
                case (1, UInt8(ascii: "b")): .boolean
                case (1, UInt8(ascii: "e")): .error
                case (1, UInt8(ascii: "d")): .date
                case (3, UInt8(ascii: "s")): .text
                case (9, UInt8(ascii: "i")): .inline
                default: .unknown
                }
        }
    }

    private mutating func readCell(_ column: inout Int) throws(ContainerError) {
        let address = xml.withAttribute("r") { CellAddress($0) }
        if let address {
            guard let address, address.row == row, address.column > column else {
                throw error("a cell after \(CellAddress(column: max(column, 0), row: row).text) has an invalid address")
            }
            column = address.column
        } else {
            column += 1
            guard column < CellAddress.maximumColumns else { throw error("row \(row) has too many cells") }
        }
        let type = xml.withAttribute("t") { CellType($0) } ?? .number
        let style = xml.withAttribute("s", Self.integer).flatMap(\.self) ?? 0
        let start = bytes.count
        value.removeAll(keepingCapacity: true)
        var (hasValue, hasFormula, hasInline) = (false, false, false)
        let depth = xml.depth
        while xml.depth >= depth {
            switch try xml.next() {
            case .start:
                if xml.isNamed("v") {
                    hasValue = true
                    try xml.appendElementText(to: &value)
                    guard value.count <= Self.maximumCell else { throw tooLong(column) }
                } else if xml.isNamed("is") {
                    hasInline = true
                    try RichText.append(from: &xml, to: &bytes, atMost: Self.maximumCell)
                } else {
                    if xml.isNamed("f") { hasFormula = true }
                    try xml.skipElement()
                }
            case .end, .text: break
            case .finished: return
            }
        }
        if hasInline, type == .inline || !hasValue { return append(.text, column: column, from: start) }
        guard hasValue, !value.isEmpty || type == .text else {
            if hasFormula {
                fail("the formula has no stored value; calculate and save the workbook", column: column, from: start)
            }
            return
        }
        try appendValue(type, style: style, column: column, from: start)
    }

    private func tooLong(_ column: Int) -> ContainerError {
        error("the cell \(CellAddress(column: column, row: row).text) has more than \(Self.maximumCell) bytes")
    }

    @inline(__always)
    private mutating func append(_ kind: Cell.Kind, column: Int, from start: Int) {
        cells.append(Cell(column: column, kind: kind, text: start..<bytes.count))
    }

    private mutating func fail(_ message: String, column: Int, from start: Int) {
        bytes.removeSubrange(start...)
        bytes += message.utf8
        append(.fault, column: column, from: start)
    }

    private mutating func appendValue(
        _ type: CellType, style: Int, column: Int, from start: Int
    ) throws(ContainerError) {
        switch type {
        case .number: appendNumber(style: style, column: column, from: start)
        case .shared:
            guard let number = Self.integer(value.span), strings.append(number, to: &bytes) else {
                return fail("the shared text of the cell does not exist", column: column, from: start)
            }
            append(.text, column: column, from: start)
        case .text, .inline:
            bytes += value
            RichText.unescape(&bytes, from: start)
            append(.text, column: column, from: start)
        case .boolean:
            let isTrue = value == [UInt8(ascii: "1")] || value == Array("true".utf8)
            guard isTrue || value == [UInt8(ascii: "0")] || value == Array("false".utf8) else {
                return fail("the Boolean value of the cell is invalid", column: column, from: start)
            }
            bytes += isTrue ? "true".utf8 : "false".utf8
            append(.boolean, column: column, from: start)
        case .date:
            bytes += value
            append(.date, column: column, from: start)
        case .error:
            fail(
                "the cell contains the error \(String(decoding: value.prefix(40), as: UTF8.self))", column: column,
                from: start)
        case .unknown: fail("the type of the cell is unknown", column: column, from: start)
        }
    }

    private mutating func appendNumber(style: Int, column: Int, from start: Int) {
        let format = style < styles.count ? styles[style] : .number
        switch format {
        case .date, .time, .dateTime:
            guard let serial = NumberText.value(value) else { return failNumber(column: column, from: start) }
            if let reason = dates.append(serial, as: format, to: &bytes) {
                return fail("\(serial) has the format of a date, but \(reason)", column: column, from: start)
            }
            append(.date, column: column, from: start)
        case .number, .duration, .local:
            guard let isLong = NumberText.append(value, to: &bytes) else {
                return failNumber(column: column, from: start)
            }
            if isLong {
                findings.longNumbers += 1
                if findings.firstLongNumber == nil { findings.firstLongNumber = .init(column: column, row: row) }
            }
            if format == .local {
                findings.localFormats += 1
                if findings.firstLocalFormat == nil { findings.firstLocalFormat = .init(column: column, row: row) }
            }
            append(.number, column: column, from: start)
        }
    }

    private mutating func failNumber(column: Int, from start: Int) {
        fail("“\(String(decoding: value.prefix(40), as: UTF8.self))” is not a number", column: column, from: start)
    }
}
