import Foundation
import StrataContainers
import StrataCore
import Synchronization

/// An encoding of records as the rows of a sheet in a workbook.
///
/// Numbers, Boolean values, dates and times are cells of their kind, and all other values are texts, so that no text is
/// calculated as a formula. A number that a spreadsheet would round, and a date that it cannot represent, are texts.
/// Rows and cells have no addresses: each cell follows the previous one, and null is an empty cell.
struct SheetEncoding: RecordEncoding {
    /// The counts of values that were written in another form.
    final class Counts: Sendable {
        /// The count of numbers with more digits than spreadsheets preserve.
        let longNumbers = Atomic(0)
    }

    /// The count of digits that spreadsheets preserve.
    private static let exactDigits = 15

    let columnCount: Int
    private(set) var head: [UInt8] = []
    let firstRecordSkip = 0
    private let counts: Counts
    /// The meaning of the values in each column that are dates or times; other columns are numbers here.
    private let formats: FixedArray<NumberFormat>

    init(columns: [ResolvedColumn], _ counts: Counts, hasHeader: Bool = true) throws(InterchangeError) {
        let formats = columns.map { column -> NumberFormat in
            guard case .column(_, let type) = column.value else { return .number }
            return switch type {
            case .day: .date
            case .timeOfDay: .time
            default: .number
            }
        }
        try self.init(names: columns.map(\.name), formats, counts, hasHeader: hasHeader)
    }

    /// Creates the encoding of columns of numbers and texts.
    init(names: [String], _ counts: Counts) throws(InterchangeError) {
        try self.init(names: names, names.map { _ in .number }, counts, hasHeader: true)
    }

    private init(
        names: [String], _ formats: [NumberFormat], _ counts: Counts, hasHeader: Bool
    ) throws(InterchangeError) {
        columnCount = names.count
        self.counts = counts
        self.formats = FixedArray(formats)
        guard hasHeader else { return }
        var buffer = ByteBuffer()
        begin(&buffer)
        for (index, name) in names.enumerated() {
            var name = name
            if let refusal = name.withUTF8({ refusal(of: $0) }) {
                throw InterchangeError(.unsupported, message: "the name of a column: \(refusal.reason)")
            }
            string(name, column: index, into: &buffer)
        }
        end(&buffer)
        head = Array(buffer.bytes)
    }

    func tail(isEmpty: Bool) -> [UInt8] { [] }
    func begin(_ buffer: inout ByteBuffer) { Self.append("<row>", to: &buffer) }
    func end(_ buffer: inout ByteBuffer) { Self.append("</row>", to: &buffer) }
    func null(_ column: Int, _ buffer: inout ByteBuffer) { Self.append("<c/>", to: &buffer) }

    @inline(__always)
    private static func append(_ text: StaticString, to buffer: inout ByteBuffer) {
        buffer.append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    func boolean(_ value: Bool, column: Int, into buffer: inout ByteBuffer) {
        Self.append(value ? "<c t=\"b\"><v>1</v></c>" : "<c t=\"b\"><v>0</v></c>", to: &buffer)
    }

    func integer(_ value: Int64, column: Int, into buffer: inout ByteBuffer) {
        number(hasFraction: false, into: &buffer) { IntegerText.write(value, to: &$0) }
    }

    func decimal(_ value: ScaledDecimal, column: Int, into buffer: inout ByteBuffer) {
        number(hasFraction: true, into: &buffer) { DecimalText.write(value, to: &$0) }
    }

    /// Writes a number, or a text if the number has too many digits.
    private func number(hasFraction: Bool, into buffer: inout ByteBuffer, _ write: (inout ByteBuffer) -> Void) {
        var text = ByteBuffer()
        write(&text)
        let digits = text.bytes.drop { !(0x31...0x39 ~= $0) }.count { 0x30...0x39 ~= $0 }
        if digits > Self.exactDigits {
            counts.longNumbers.add(1, ordering: .relaxed)
            return appendText(text.bytes, to: &buffer)
        }
        Self.append("<c><v>", to: &buffer)
        buffer.append(text.bytes)
        Self.append("</v></c>", to: &buffer)
    }

    func double(_ value: Double, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        Self.append("<c><v>", to: &buffer)
        try DoubleText.write(value, to: &buffer)
        Self.append("</v></c>", to: &buffer)
    }

    func date(_ value: Date, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        var text = ByteBuffer()
        try DateText.write(value, to: &text)
        appendDate(text.bytes, .dateTime, to: &buffer)
    }

    func word(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        if let refusal = refusal(of: value) { throw refusal }
        appendDate(value, formats.elements[column], to: &buffer)
    }

    /// Writes a date or time with its style, or a text if it has no exact number.
    private func appendDate(
        _ text: UnsafeBufferPointer<UInt8>, _ format: NumberFormat, to buffer: inout ByteBuffer
    ) {
        guard format != .number, let serial = SerialDate.serial(of: text.span, as: format) else {
            return appendText(text, to: &buffer)
        }
        switch format {
        case .date: Self.append("<c s=\"1\"><v>", to: &buffer)
        case .time: Self.append("<c s=\"3\"><v>", to: &buffer)
        default: Self.append("<c s=\"2\"><v>", to: &buffer)
        }
        if let day = Int64(exactly: serial) {
            IntegerText.write(day, to: &buffer)
        } else {
            buffer.append(Array("\(serial)".utf8))
        }
        Self.append("</v></c>", to: &buffer)
    }

    func binary(_ value: UnsafeRawBufferPointer, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        var text = ByteBuffer()
        BinaryText.write(value, to: &text)
        if let refusal = refusal(of: text.bytes) { throw refusal }
        appendText(text.bytes, to: &buffer)
    }

    func text(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer) -> Bool {
        guard UTF8Text.isValid(value.span), refusal(of: value) == nil else { return false }
        appendText(value, to: &buffer)
        return true
    }

    func refusal(of text: UnsafeBufferPointer<UInt8>) -> InvalidText? {
        guard text.count > WorkbookWriter.maximumText else { return nil }
        // A character beyond the first 65,536 has four bytes and two units.
        let units = text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
        guard units > WorkbookWriter.maximumText else { return nil }
        return InvalidText(
            "a text of \(units) characters; a cell of a workbook has at most \(WorkbookWriter.maximumText)")
    }

    private func appendText(_ text: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer) {
        let keepsSpace = (text.first.map { $0 <= 0x20 } ?? false) || (text.last.map { $0 <= 0x20 } ?? false)
        Self.append(
            keepsSpace ? "<c t=\"inlineStr\"><is><t xml:space=\"preserve\">" : "<c t=\"inlineStr\"><is><t>",
            to: &buffer)
        WorkbookWriter.escape(text) { buffer.append($0) }
        Self.append("</t></is></c>", to: &buffer)
    }
}
