import Foundation
import StrataCore

/// An encoding of the values of records in a file format.
///
/// To write a record, call ``begin(_:)``, write one value for each column in order, and call ``end(_:)``. Every record
/// is encoded as if another record preceded it, so that several threads can encode parts of a file. For the first
/// record of a file, the first ``firstRecordSkip`` bytes are dropped.
///
/// The methods append to a buffer and never create strings for common types. Implementations are values without mutable
/// state, so several threads share one. If a method throws, the buffer may contain a part of the value, and the export
/// fails.
protocol RecordEncoding: Sendable {
    /// The bytes at the beginning of a file, before the first record.
    var head: [UInt8] { get }
    /// The count of bytes at the beginning of a record that separate it from the record before it.
    var firstRecordSkip: Int { get }
    /// Returns the bytes at the end of a file, after the last record; `isEmpty` indicates that there are no records.
    func tail(isEmpty: Bool) -> [UInt8]
    /// The number of columns of a record.
    var columnCount: Int { get }

    /// Writes the beginning of a record, before its first value.
    func begin(_ buffer: inout ByteBuffer)
    /// Writes the end of a record, after its last value.
    func end(_ buffer: inout ByteBuffer)
    /// Writes null as the value of a column.
    func null(_ column: Int, _ buffer: inout ByteBuffer)
    func boolean(_ value: Bool, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    func integer(_ value: Int64, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    func double(_ value: Double, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    func decimal(_ value: ScaledDecimal, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    /// Writes an instant; it throws if the spelling of the column cannot represent it.
    func date(_ value: Date, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    /// Writes a text that no format needs to escape: ASCII, not empty, and without spaces at its ends.
    func word(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    /// Writes binary data as base64.
    func binary(_ value: UnsafeRawBufferPointer, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    /// Writes a text that may contain any bytes; returns `false`, without writing it, if it is not UTF-8.
    func text(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer) -> Bool
    /// Writes the JSON text of an array or object: as an array or object if the format supports them, otherwise as a
    /// text.
    func nested(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer)
    /// Returns a day or a time in the spelling of a column; `nil` if the column has the default spelling.
    func spelledWord(_ value: String, column: Int) throws(InvalidText) -> String?
    /// Returns a Boolean value that indicates whether a reader would read a text in a column as null.
    func isMissing(_ value: UnsafeBufferPointer<UInt8>, column: Int) -> Bool
    /// Returns the reason why the format cannot contain a text; `nil` if it can.
    func refusal(of text: UnsafeBufferPointer<UInt8>) -> InvalidText?
    /// Returns a Boolean value that indicates whether a column has no text for null, so that null is an error.
    func refusesNull(_ column: Int) -> Bool
    /// A Boolean value that indicates whether columns may have their own spelling of days and times.
    static var spellsWords: Bool { get }
    /// A Boolean value that indicates whether lists are written as arrays of the format instead of one text.
    static var hasArrays: Bool { get }
    /// Writes a list of relationship targets: a JSON array if ``hasArrays`` is `true`, otherwise one text.
    func list(_ value: String, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
}

extension RecordEncoding {
    func spelledWord(_ value: String, column: Int) throws(InvalidText) -> String? { nil }
    func isMissing(_ value: UnsafeBufferPointer<UInt8>, column: Int) -> Bool { false }
    func refusal(of text: UnsafeBufferPointer<UInt8>) -> InvalidText? { nil }
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
    /// Writes a stored value in the form that its type requires.
    func append(_ value: StoredValue, column: Int, into buffer: inout ByteBuffer) throws(InvalidText) {
        switch value {
        case .null:
            if refusesNull(column) { throw InvalidText("null cannot be written: no text means null in this column") }
            null(column, &buffer)
        case .boolean(let value): try boolean(value, column: column, into: &buffer)
        case .integer(let value): try integer(value, column: column, into: &buffer)
        case .string(var value):
            if value.withUTF8({ isMissing($0, column: column) }) { throw Self.missing(value) }
            if let refusal = value.withUTF8({ refusal(of: $0) }) { throw refusal }
            string(value, column: column, into: &buffer)
        case .double(let value): try double(value, column: column, into: &buffer)
        case .decimal(let value): try decimal(value, column: column, into: &buffer)
        case .date(let value): try date(value, column: column, into: &buffer)
        case .binary(let value):
            try binary(value, column: column, into: &buffer)
        default: try append(value.stored, column: column, into: &buffer)
        }
    }

    /// Writes a value whose type has no separate method, by its stored form.
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

    /// Returns the error that a closure throws, or `nil`.
    ///
    /// It is needed because functions of the standard library do not pass specific error types on.
    @inline(__always)
    private static func refusal(_ body: () throws(InvalidText) -> Void) -> InvalidText? {
        do throws(InvalidText) { try body() } catch { return error }
        return nil
    }

    /// Returns the error for a text that a reader would read as null.
    static func missing(_ text: String) -> InvalidText {
        InvalidText("\(PrintableText.quoted(text)) means null in the files of this model, and cannot be written")
    }

    /// Writes a string, which is always UTF-8.
    func string(_ value: String, column: Int, into buffer: inout ByteBuffer) {
        var value = value
        _ = value.withUTF8 { text($0, column: column, into: &buffer) }
    }
}
