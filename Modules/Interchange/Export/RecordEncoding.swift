import Foundation
import StrataCore

/// The format-specific encoding of a record's values.
///
/// A record is ``begin(_:)``, one value for each column in their order, and ``end(_:)``. Every record is written as if
/// it followed another one, so that several threads can make parts of a file. The first ``firstRecordSkip`` bytes of
/// the first record of a file are dropped.
protocol RecordEncoding: Sendable {
    /// The bytes at the beginning of the file.
    var head: [UInt8] { get }
    /// The count of bytes in the first record that are only needed between two records.
    var firstRecordSkip: Int { get }
    /// Returns the bytes at the end of the file.
    func tail(isEmpty: Bool) -> [UInt8]
    /// The number of columns.
    var columnCount: Int { get }

    func begin(_ buffer: inout ByteBuffer)
    func end(_ buffer: inout ByteBuffer)
    func null(_ column: Int, _ buffer: inout ByteBuffer)
    func boolean(_ value: Bool, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    func integer(_ value: Int64, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    func double(_ value: Double, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    func decimal(_ value: ScaledDecimal, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    func date(_ value: Date, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    /// Writes a text that needs no escapes in any format: ASCII, not empty, without leading or trailing spaces.
    func word(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    func binary(_ value: UnsafeRawBufferPointer, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    /// Writes a text of any bytes; returns `false` without writing if it is not UTF-8.
    func text(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer) -> Bool
    /// Writes the text of a JSON array or object as an array or object, if the format supports them.
    func nested(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer)
    /// Returns a day or a time in the spelling of a column; `nil` for the default spelling.
    func spelledWord(_ value: String, column: Int) throws(InvalidText) -> String?
    /// Returns a Boolean value that indicates whether a text would be read as null in a column.
    func isMissing(_ value: UnsafeBufferPointer<UInt8>, column: Int) -> Bool
    /// Returns a Boolean value that indicates whether null cannot be written in a column.
    func refusesNull(_ column: Int) -> Bool
    /// A Boolean value that indicates whether days and times may have their own spelling.
    static var spellsWords: Bool { get }
    /// A Boolean value that indicates whether lists are written as arrays of the format instead of one text.
    static var hasArrays: Bool { get }
    /// Writes a list of relationship targets, in the form that ``hasArrays`` determines.
    func list(_ value: String, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
}

extension RecordEncoding {
    func spelledWord(_ value: String, column: Int) throws(InvalidText) -> String? { nil }
    func isMissing(_ value: UnsafeBufferPointer<UInt8>, column: Int) -> Bool { false }
    func refusesNull(_ column: Int) -> Bool { false }
    static var spellsWords: Bool { false }
    static var hasArrays: Bool { false }

    func nested(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer) {
        _ = text(value, column: column, into: &buffer)
    }

    func list(_ value: String, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        try append(.string(value), column: column, into: &buffer)
    }
}

extension RecordEncoding {
    /// Writes a value according to its case.
    func append(_ value: StoredValue, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        switch value {
        case .null:
            if refusesNull(column) { throw InvalidText("null cannot be written: no text means null in this column") }
            null(column, &buffer)
        case .boolean(let value): try boolean(value, column: column, into: &buffer)
        case .integer(let value): try integer(value, column: column, into: &buffer)
        case .string(var value):
            if value.withUTF8({ isMissing($0, column: column) }) { throw Self.missing(value) }
            string(value, column: column, into: &buffer)
        case .double(let value): try double(value, column: column, into: &buffer)
        case .decimal(let value): try decimal(value, column: column, into: &buffer)
        case .date(let value): try date(value, column: column, into: &buffer)
        case .binary(let value):
            try binary(value, column: column, into: &buffer)
        default: try append(value.stored, column: column, into: &buffer)
        }
    }

    /// Writes the stored form of a value whose type has no requirement in this protocol.
    private func append(_ value: StoredForm, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        switch value {
        case .null: null(column, &buffer)
        case .integer(let value): try integer(value, column: column, into: &buffer)
        case .real(let value): try double(value, column: column, into: &buffer)
        case .text(var value):
            if Self.spellsWords, let spelled = try spelledWord(value, column: column) {
                return string(spelled, column: column, into: &buffer)
            }
            let refusal = value.withUTF8 { bytes in
                Self.refusal { () throws(InvalidText) in try word(bytes, column: column, into: &buffer) }
            }
            if let refusal { throw refusal }
        case .blob(let value):
            try binary(value, column: column, into: &buffer)
        }
    }

    private func binary(_ value: Data, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        let refusal = value.withUnsafeBytes { bytes in
            Self.refusal { () throws(InvalidText) in try binary(bytes, column: column, into: &buffer) }
        }
        if let refusal { throw refusal }
    }

    /// Returns the error of a closure; closures of the standard library cannot throw a specific error type.
    @inline(__always)
    private static func refusal(_ body: () throws(InvalidText) -> Void) -> InvalidText? {
        do throws(InvalidText) { try body() } catch { return error }
        return nil
    }

    /// Returns the error for a text that would be read as null.
    static func missing(_ text: String) -> InvalidText {
        InvalidText("\(PrintableText.quoted(text)) means null in the files of this model, and cannot be written")
    }

    /// Writes a string, which is always UTF-8.
    func string(_ value: String, column: Int, into buffer: inout ByteBuffer) {
        var value = value
        _ = value.withUTF8 { text($0, column: column, into: &buffer) }
    }
}
