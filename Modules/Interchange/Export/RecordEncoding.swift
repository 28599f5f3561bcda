import Foundation
import StrataCore

/// How the values of a record become bytes: all in which the formats differ.
///
/// A record is ``begin(_:)``, one value for each column in their order, and ``end(_:)``. Every record is written as one that
/// follows another, so that parts of a file can be made by several threads; from the first one of a file ``firstRecordSkip`` bytes are dropped.
protocol RecordEncoding: Sendable {
    /// What the file begins with.
    var head: [UInt8] { get }
    /// How many bytes of the first record belong between two records.
    var firstRecordSkip: Int { get }
    /// What the file ends with.
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
    /// Writes what is text in every format and needs no escapes: ASCII, neither empty nor with spaces at its ends.
    func word(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    func binary(_ value: UnsafeRawBufferPointer, column: Int, into buffer: inout ByteBuffer) throws(InvalidText)
    /// Writes a text of any bytes; false, and nothing written, when they are no UTF-8.
    func text(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer) -> Bool
    /// Writes the text of a JSON array or object as what it is, where the format has such.
    func nested(_ value: UnsafeBufferPointer<UInt8>, column: Int, into buffer: inout ByteBuffer)
    /// A day or a time as it is spelled in a column; `nil` where that is as usual.
    func spelledWord(_ value: String, column: Int) throws(InvalidText) -> String?
    /// Whether a text would be read as null in a column.
    func isMissing(_ value: UnsafeBufferPointer<UInt8>, column: Int) -> Bool
    /// Whether there is no way to write null in a column.
    func refusesNull(_ column: Int) -> Bool
    /// Whether days and times may be spelled in ways of their own.
    static var spellsWords: Bool { get }
    /// Whether what a relationship leads to is an array of the format's own, and no text of its elements.
    static var hasArrays: Bool { get }
    /// Writes what a relationship leads to, in the form that ``hasArrays`` says.
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
    /// Writes a value by its own kind.
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

    /// Writes a value of a type that has no form of its own here as it is kept.
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

    /// Why a value cannot be written; closures of the standard library throw errors of any type only.
    @inline(__always)
    private static func refusal(_ body: () throws(InvalidText) -> Void) -> InvalidText? {
        do throws(InvalidText) { try body() } catch { return error }
        return nil
    }

    /// Why a text is not written that would be read as null.
    static func missing(_ text: String) -> InvalidText {
        InvalidText("\(PrintableText.quoted(text)) means null in the files of this model, and cannot be written")
    }

    /// Writes a string, which is UTF-8 always.
    func string(_ value: String, column: Int, into buffer: inout ByteBuffer) {
        var value = value
        _ = value.withUTF8 { text($0, column: column, into: &buffer) }
    }
}
