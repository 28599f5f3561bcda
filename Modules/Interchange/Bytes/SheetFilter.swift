import StrataContainers

/// A filter that converts the rows of a sheet to CSV.
///
/// Texts are quoted, and numbers, dates and Boolean values are not, so that ``CSVReader/isQuoted(field:)``
/// distinguishes them. A cell without a value is an empty field without quotes. All rows have the same count of fields.
/// Rows without values are blank lines, so the number of a line is that of its row, unless a text before it contains
/// line breaks.
final class SheetFilter: ByteFilter {
    /// The count of rows that determine the columns of the table.
    private static let rowsAhead = 100
    /// The count of bytes in the first rows after which no further rows determine the columns.
    private static let bytesAhead = 16 << 20
    /// The count of bytes that are converted at a time.
    private static let blockSize = 64 << 10

    private struct Fault {
        let row: Int
        let column: Int
        let message: String
    }

    private var reader: SheetReader
    private let range: CellRange?
    private let name: String
    private let file: ContainerFile

    private var pending: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var failure: InterchangeError?
    /// The rows that were read before the columns were known; `nil` when these rows were converted.
    private var rowsAhead: [(row: Int, cells: [SheetReader.Cell], bytes: [UInt8])]? = []
    private var byteCountAhead = 0
    /// The columns of the table.
    private var columns = 0...0
    /// The number of the next row to be written.
    private var nextRow = 1
    /// The number of the next line to be written.
    private var nextLine = 1
    /// The first lines after which the difference between the numbers of lines and rows changed, with their rows.
    ///
    /// Entries before the line that was requested last are removed.
    private var rowsOfLines: [(line: Int, row: Int)] = []
    private var firstRowOfLines = 0
    private var faults: [Fault] = []
    private var firstFault = 0
    /// The names of the columns, for the locations of errors; the reader of the table sets them.
    var header: [String] = []

    init(_ reader: consuming SheetReader, range: CellRange?, name: String, file: ContainerFile) {
        self.reader = reader
        (self.range, self.name, self.file) = (range, name, file)
        if let range { (nextRow, columns) = (range.rows.lowerBound, range.columns) }
        if nextRow != 1 { rowsOfLines.append((1, nextRow)) }
    }

    // MARK: Locations

    /// Returns the number of the row in a line; lines must be requested in ascending order.
    func row(ofLine line: Int) -> Int {
        while firstRowOfLines + 1 < rowsOfLines.count, rowsOfLines[firstRowOfLines + 1].line <= line {
            firstRowOfLines += 1
        }
        if firstRowOfLines > 1_024 {
            rowsOfLines.removeFirst(firstRowOfLines)
            firstRowOfLines = 0
        }
        guard firstRowOfLines < rowsOfLines.count, rowsOfLines[firstRowOfLines].line <= line else { return line }
        let known = rowsOfLines[firstRowOfLines]
        return known.row + line - known.line
    }

    /// Returns the first cell of a row that has no valid value; rows must be requested in ascending order.
    func fault(ofRow row: Int) -> (field: Int, message: String, address: String)? {
        while firstFault < faults.count, faults[firstFault].row < row { firstFault += 1 }
        if firstFault > 1_024 {
            faults.removeFirst(firstFault)
            firstFault = 0
        }
        guard firstFault < faults.count, faults[firstFault].row == row else { return nil }
        let fault = faults[firstFault]
        return (
            fault.column - columns.lowerBound, fault.message,
            CellAddress(column: fault.column, row: row).text
        )
    }

    /// Returns the address of a cell, or the number of the row if the column is unknown.
    func address(row: Int, column: String?) -> String {
        guard let column, let field = header.firstIndex(of: column) else { return String(row) }
        return CellAddress(column: columns.lowerBound + field, row: row).text
    }

    /// Notes about the sheet, which are complete after its end.
    var notes: [String] {
        let findings = reader.findings
        var notes: [String] = []
        func note(_ count: Int, _ text: String, _ address: CellAddress? = nil) {
            guard count > 0 else { return }
            notes.append("\(count.counted(text))" + (address.map { " (first: \($0.text))" } ?? ""))
        }
        note(findings.hiddenRows, "hidden row")
        note(findings.hiddenColumns, "hidden column")
        if let range = findings.mergedRanges > 0 ? findings.mergedRanges : nil {
            notes.append("\(range.counted("merged range")), whose value is only in the first cell")
        }
        note(findings.longNumbers, "number", findings.firstLongNumber)
        if findings.longNumbers > 0 { notes[notes.count - 1] += " with more than 15 digits, which may be rounded" }
        note(findings.localFormats, "number", findings.firstLocalFormat)
        if findings.localFormats > 0 {
            notes[notes.count - 1] += " whose format has another meaning in each language, read as a number"
        }
        return notes
    }

    // MARK: Bytes

    func read(
        into buffer: inout [UInt8], at offset: Int, _ room: Int, isCancelled: (@Sendable () -> Bool)?
    ) throws(InterchangeError) -> Int {
        if let failure { throw failure }
        if position == pending.count {
            if isCancelled?() == true {
                throw InterchangeError(.cancelled, source: name, message: "the reading was canceled")
            }
            pending.removeAll(keepingCapacity: true)
            position = 0
            do throws(ContainerError) { try fill() } catch {
                let error = InterchangeError(error, source: name)
                failure = error
                throw error
            }
        }
        let count = min(room, pending.count - position)
        buffer.replaceSubrange(offset..<offset + count, with: pending[position..<position + count])
        position += count
        return count
    }

    func checkUnchanged() throws(InterchangeError) { try file.checkUnchanged() }

    private func fill() throws(ContainerError) {
        while pending.count < Self.blockSize, !isAtEnd {
            if try reader.next() {
                guard isInRange(reader.row) else { continue }
                guard rowsAhead != nil else {
                    append(row: reader.row, reader.cells, in: reader.bytes)
                    continue
                }
                rowsAhead?.append((reader.row, reader.cells, reader.bytes))
                byteCountAhead += reader.bytes.count
                if rowsAhead?.count == Self.rowsAhead || byteCountAhead > Self.bytesAhead { appendRowsAhead() }
            } else {
                isAtEnd = true
                appendRowsAhead()
            }
        }
    }

    private func isInRange(_ row: Int) -> Bool { range?.rows.contains(row) ?? true }

    /// Determines the columns by the first rows, and converts these rows.
    private func appendRowsAhead() {
        guard let rows = rowsAhead else { return }
        rowsAhead = nil
        if range == nil {
            let first = rows.compactMap(\.cells.first?.column).min() ?? 0
            columns = first...(rows.compactMap(\.cells.last?.column).max() ?? first)
        }
        for row in rows { append(row: row.row, row.cells, in: row.bytes) }
    }

    private func append(row: Int, _ cells: [SheetReader.Cell], in bytes: [UInt8]) {
        guard cells.contains(where: { range == nil || columns.contains($0.column) }) else { return }
        // A local is faster than a property of a class, which is checked for exclusive access.
        var pending: [UInt8] = []
        swap(&pending, &self.pending)
        defer { swap(&pending, &self.pending) }
        let (first, last) = (columns.lowerBound, columns.upperBound)
        // Rows without values are blank lines.
        pending.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: row - nextRow))
        nextLine += row - nextRow
        nextRow = row + 1
        var column = first
        var breaks = 0
        for cell in cells {
            guard first <= cell.column, cell.column <= last else {
                if range == nil {
                    faults.append(
                        Fault(
                            row: row, column: cell.column,
                            message: "the cell is outside of the table, whose columns are "
                                + "\(CellAddress.letters(columns.lowerBound)) to "
                                + "\(CellAddress.letters(columns.upperBound)); name the cells of the table with --range"
                        ))
                }
                continue
            }
            while column < cell.column {
                pending.append(UInt8(ascii: ","))
                column += 1
            }
            switch cell.kind {
            case .number, .boolean: pending += bytes[cell.text]
            case .date, .text: breaks += Self.appendQuoted(bytes, cell, to: &pending)
            case .fault:
                faults.append(
                    Fault(row: row, column: cell.column, message: String(decoding: bytes[cell.text], as: UTF8.self)))
            }
        }
        while column < last {
            pending.append(UInt8(ascii: ","))
            column += 1
        }
        pending.append(UInt8(ascii: "\n"))
        nextLine += 1 + breaks
        if breaks > 0 { rowsOfLines.append((nextLine, nextRow)) }
    }

    /// Appends a text in quotes and returns its count of line breaks; a date from the document is not quoted.
    private static func appendQuoted(
        _ bytes: [UInt8], _ cell: SheetReader.Cell, to pending: inout [UInt8]
    ) -> Int {
        let quote = UInt8(ascii: "\"")
        let isDate = cell.kind == .date
        // The text of a date comes from the document, and may contain any character.
        if isDate, bytes[cell.text].allSatisfy({ 0x2B...0x5A ~= $0 && $0 != UInt8(ascii: ",") }) {
            pending += bytes[cell.text]
            return 0
        }
        var breaks = 0
        var previous: UInt8 = 0
        pending.append(quote)
        for byte in bytes[cell.text] {
            if byte == quote { pending.append(quote) }
            // The reader counts CRLF as one line break.
            if byte == 0x0D || (byte == 0x0A && previous != 0x0D) { breaks += 1 }
            previous = byte
            pending.append(byte)
        }
        pending.append(quote)
        return breaks
    }
}
