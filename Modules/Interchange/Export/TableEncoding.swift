import Foundation
import StrataCore

/// An encoding of records as CSV or TSV: fields with separators between them, quoted if necessary.
///
/// Null is the empty text, and the empty string is `""`. A field is quoted if it contains the separator, a quote or a
/// line break, or if it begins or ends with a space. If a table has only one column, a record with null is an empty
/// line, which ``CSVReader`` reads as null.
///
/// A text in the first column that a reader could mistake for a byte order mark, a declaration of the separator or a
/// comment is quoted too.
struct TableEncoding: RecordEncoding {
    let columnCount: Int
    private(set) var head: [UInt8] = []
    let firstRecordSkip = 0
    private let separator: UInt8
    private let ending: FixedArray<UInt8>
    private let nullToken: FixedArray<UInt8>
    private let quotesAll: Bool
    private let escapesFormulas: Bool
    /// A Boolean value that indicates whether values that are not texts, such as numbers, may also need quotes.
    private let isCareful: Bool
    private let classes: ByteClasses

    private static let quote = UInt8(ascii: "\"")
    /// The separators that never occur in the texts of numbers and dates.
    private static let usualSeparators: [CSVSeparator] = [.comma, .semicolon, .tab, .bar]

    /// Creates the encoding of a table; the export options must be valid for its format.
    init(columns: [String], _ options: ExportOptions) {
        let separator = options.separator ?? (options.format == .tsv ? .tab : .comma)
        self.separator = separator.byte
        columnCount = columns.count
        ending = FixedArray(options.lineEnding.bytes)
        nullToken = FixedArray(Array((options.nullToken ?? "").utf8))
        quotesAll = options.quotesAll
        escapesFormulas = options.escapesFormulas
        isCareful =
            quotesAll || !nullToken.elements.isEmpty || escapesFormulas || !Self.usualSeparators.contains(separator)
        classes = ByteClasses { byte in
            [separator.byte, Self.quote, UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(byte)
        }
        // The header is written as a record of texts.
        var buffer = ByteBuffer()
        if options.hasByteOrderMark { buffer.append([0xEF, 0xBB, 0xBF]) }
        if options.hasHeader {
            for (index, column) in columns.enumerated() { string(column, column: index, into: &buffer) }
            end(&buffer)
        }
        head = Array(buffer.bytes)
    }

    func tail(isEmpty: Bool) -> [UInt8] { [] }

    func begin(_ buffer: inout ByteBuffer) {}

    func end(_ buffer: inout ByteBuffer) { for byte in ending.elements { buffer.append(byte) } }

    @inline(__always)
    private func separate(_ column: Int, _ buffer: inout ByteBuffer) {
        if column > 0 { buffer.append(separator) }
    }

    func null(_ column: Int, _ buffer: inout ByteBuffer) {
        separate(column, &buffer)
        buffer.append(nullToken.elements)
    }

    func boolean(_ value: Bool, column: Int, into buffer: inout ByteBuffer) {
        separate(column, &buffer)
        let start = buffer.count
        BooleanText.write(value, to: &buffer)
        protect(start, &buffer)
    }

    func integer(_ value: Int64, column: Int, into buffer: inout ByteBuffer) {
        separate(column, &buffer)
        let start = buffer.count
        IntegerText.write(value, to: &buffer)
        protect(start, &buffer)
    }

    func double(_ value: Double, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        separate(column, &buffer)
        let start = buffer.count
        try DoubleText.write(value, to: &buffer)
        protect(start, &buffer)
    }

    func decimal(_ value: ScaledDecimal, column: Int, into buffer: inout ByteBuffer) {
        separate(column, &buffer)
        let start = buffer.count
        DecimalText.write(value, to: &buffer)
        protect(start, &buffer)
    }

    func date(_ value: Date, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        separate(column, &buffer)
        let start = buffer.count
        try DateText.write(value, to: &buffer)
        protect(start, mayBeFormula: true, &buffer)
    }

    func word(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer) {
        separate(column, &buffer)
        let start = buffer.count
        buffer.append(value)
        protect(start, &buffer)
    }

    func binary(_ value: UnsafeRawBufferPointer, column: Int, into buffer: inout ByteBuffer) {
        separate(column, &buffer)
        let start = buffer.count
        BinaryText.write(value, to: &buffer)
        // A value without bytes is the empty string, not null.
        if buffer.count == start { return quote(start, &buffer) }
        protect(start, mayBeFormula: true, &buffer)
    }

    func text(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer) -> Bool {
        let found = classes.classes(in: value)
        if found & ByteClasses.beyondASCII != 0, !UTF8Text.isValid(value.span) { return false }
        separate(column, &buffer)
        let start = buffer.count
        if found & ByteClasses.special != 0 || isCareful {
            appendCarefully(value, isSpecial: found & ByteClasses.special != 0, &buffer)
        } else if column == 0, Self.beginsLikeMark(value) {
            buffer.append(value)
            quote(start, &buffer)
        } else if value.isEmpty || value[0] == UInt8(ascii: " ") || value[value.count - 1] == UInt8(ascii: " ") {
            buffer.append(value)
            quote(start, &buffer)
        } else {
            buffer.append(value)
        }
        return true
    }

    /// Appends a text that contains special bytes, or that the options may require to be quoted or escaped.
    private func appendCarefully(_ value: UnsafeBufferPointer<UInt8>, isSpecial: Bool, _ buffer: inout ByteBuffer) {
        let start = buffer.count
        if escapesFormulas, Self.isFormula(value.first) { buffer.append(UInt8(ascii: "'")) }
        if isSpecial {
            for byte in value {
                if byte == Self.quote { buffer.append(Self.quote) }
                buffer.append(byte)
            }
            return quote(start, &buffer)
        }
        buffer.append(value)
        let space = UInt8(ascii: " ")
        if buffer.count == start || buffer.bytes[start] == space || buffer.bytes[buffer.count - 1] == space
            || Self.beginsLikeMark(value)
        {
            return quote(start, &buffer)
        }
        protect(start, &buffer)
    }

    /// Returns a Boolean value that indicates whether a text at the beginning of a file has a special meaning for a
    /// reader.
    ///
    /// Such a text is a byte order mark, the first line of a file of rejected records, or a line that declares the
    /// separator.
    @inline(__always)
    private static func beginsLikeMark(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        switch value.first {
        case 0xEF: value.starts(with: [0xEF, 0xBB, 0xBF])
        case UInt8(ascii: "#"): value.starts(with: RejectsMark.comment.utf8)
        case UInt8(ascii: "s"), UInt8(ascii: "S"): CSVSeparator.beginsLine(value)
        default: false
        }
    }

    /// Quotes the text in the buffer from an offset on if a reader could misinterpret it.
    @inline(__always)
    private func protect(_ start: Int, mayBeFormula: Bool = false, _ buffer: inout ByteBuffer) {
        if isCareful { protectCarefully(start, mayBeFormula: mayBeFormula, into: &buffer) }
    }

    private func protectCarefully(_ start: Int, mayBeFormula: Bool, into buffer: inout ByteBuffer) {
        if escapesFormulas, mayBeFormula, Self.isFormula(buffer.bytes[start]) {
            buffer.insert(UInt8(ascii: "'"), at: start)
        }
        let written = UnsafeBufferPointer(rebasing: buffer.bytes[start...])
        let isToken = !nullToken.elements.isEmpty && written.elementsEqual(nullToken.elements)
        if quotesAll || isToken || classes.classes(in: written) & ByteClasses.special != 0 { quote(start, &buffer) }
    }

    /// Encloses the text in the buffer from an offset on in quotes; its own quotes are doubled already.
    private func quote(_ start: Int, _ buffer: inout ByteBuffer) {
        buffer.insert(Self.quote, at: start)
        buffer.append(Self.quote)
    }

    /// Returns a Boolean value that indicates whether a spreadsheet evaluates a text with this first byte as a formula.
    private static func isFormula(_ byte: UInt8?) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "\t"),
            UInt8(ascii: "\r"):
            true
        default: false
        }
    }
}
