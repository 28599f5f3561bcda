import Foundation
import StrataCore

/// An encoding of records as JSON objects, in an array or one per line.
///
/// All objects have the same keys in the same order, and null is written as `null`. Strings contain only the escapes
/// that RFC 8259 requires. If there are no records, the array is `[]`. The document ends with a line feed.
struct JSONEncoding: RecordEncoding {
    let columnCount: Int
    let head: [UInt8]
    let firstRecordSkip: Int
    private let layout: JSONLayout
    /// For each column, its key with quotes, escapes and colon, preceded by a separator and indentation.
    private let keys: FixedArray<FixedArray<UInt8>>
    private let beginning: FixedArray<UInt8>
    private let ending: FixedArray<UInt8>
    private let classes: ByteClasses

    /// Creates an encoding of objects whose keys are the names of the columns.
    init(columns: [String], _ layout: JSONLayout) {
        self.layout = layout
        columnCount = columns.count
        head = layout == .lines ? [] : [UInt8(ascii: "[")]
        // Skip the comma of `,\n` before the first record, but keep its line break.
        firstRecordSkip = layout == .lines ? 0 : 1
        let (beginning, ending): ([UInt8], [UInt8])
        switch layout {
        case .lines: (beginning, ending) = (Array("{".utf8), Array("}\n".utf8))
        case .array: (beginning, ending) = (Array(",\n{".utf8), Array("}".utf8))
        case .pretty: (beginning, ending) = (Array(",\n  {".utf8), Array((columns.isEmpty ? "}" : "\n  }").utf8))
        }
        self.beginning = FixedArray(beginning)
        self.ending = FixedArray(ending)
        let (indentation, colon) = layout == .pretty ? ("\n    ", ": ") : ("", ":")
        let classes = ByteClasses(special: JSONStringText.isEscaped)
        self.classes = classes
        var keys: [FixedArray<UInt8>] = []
        for (index, column) in columns.enumerated() {
            var buffer = ByteBuffer()
            buffer.append((index == 0 ? "" : ",") + indentation)
            var column = column
            column.withUTF8 { Self.append(string: $0, isSpecial: true, classes, &buffer) }
            buffer.append(colon)
            keys.append(FixedArray(Array(buffer.bytes)))
        }
        self.keys = FixedArray(keys)
    }

    func tail(isEmpty: Bool) -> [UInt8] {
        layout == .lines ? [] : Array((isEmpty ? "]\n" : "\n]\n").utf8)
    }

    func begin(_ buffer: inout ByteBuffer) { buffer.append(beginning.elements) }

    func end(_ buffer: inout ByteBuffer) { buffer.append(ending.elements) }

    @inline(__always)
    private func key(_ column: Int, _ buffer: inout ByteBuffer) {
        buffer.append(keys.elements[column].elements)
    }

    func null(_ column: Int, _ buffer: inout ByteBuffer) {
        key(column, &buffer)
        buffer.append("null" as StaticString)
    }

    func boolean(_ value: Bool, column: Int, into buffer: inout ByteBuffer) {
        key(column, &buffer)
        BooleanText.write(value, to: &buffer)
    }

    func integer(_ value: Int64, column: Int, into buffer: inout ByteBuffer) {
        key(column, &buffer)
        IntegerText.write(value, to: &buffer)
    }

    func double(_ value: Double, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        key(column, &buffer)
        try DoubleText.write(value, to: &buffer)
    }

    func decimal(_ value: ScaledDecimal, column: Int, into buffer: inout ByteBuffer) {
        key(column, &buffer)
        DecimalText.write(value, to: &buffer)
    }

    func date(_ value: Date, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        key(column, &buffer)
        buffer.append(UInt8(ascii: "\""))
        try DateText.write(value, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
    }

    func word(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer) {
        key(column, &buffer)
        buffer.append(UInt8(ascii: "\""))
        buffer.append(value)
        buffer.append(UInt8(ascii: "\""))
    }

    func binary(_ value: UnsafeRawBufferPointer, column: Int, into buffer: inout ByteBuffer) {
        key(column, &buffer)
        buffer.append(UInt8(ascii: "\""))
        BinaryText.write(value, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
    }

    func text(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer) -> Bool {
        let found = classes.classes(in: value)
        if found & ByteClasses.beyondASCII != 0, !UTF8Text.isValid(value.span) { return false }
        key(column, &buffer)
        Self.append(string: value, isSpecial: found & ByteClasses.special != 0, classes, &buffer)
        return true
    }

    static var hasArrays: Bool { true }

    /// Writes a text that is JSON as a value of a column.
    ///
    /// In JSON text, line breaks occur only between tokens. In NDJSON, they are replaced by spaces, because each record
    /// is one line.
    func nested(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer) {
        key(column, &buffer)
        guard layout == .lines else { return buffer.append(value) }
        for byte in value { buffer.append(byte == 0x0A || byte == 0x0D ? 0x20 : byte) }
    }

    /// Writes a text that is a JSON array as the value of a column.
    func list(_ value: String, column: Int, into buffer: inout ByteBuffer) {
        key(column, &buffer)
        buffer.append(value)
    }

    private static func append(
        string: UnsafeBufferPointer<UInt8>, isSpecial: Bool, _ classes: ByteClasses, _ buffer: inout ByteBuffer
    ) {
        buffer.append(UInt8(ascii: "\""))
        if isSpecial {
            for byte in string {
                classes.isSpecial(byte) ? JSONStringText.escape(byte, to: &buffer) : buffer.append(byte)
            }
        } else {
            buffer.append(string)
        }
        buffer.append(UInt8(ascii: "\""))
    }
}
