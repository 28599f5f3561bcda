package import StrataCore

/// A conversion of the constants in a model to JSON and back.
///
/// The conversion preserves the kind of a number: `5` is an integer and `5.0` is not, because a rule for a
/// decimal may contain either.
///
/// Dates, days, times, UUIDs and bytes are texts in the form in which an export writes them.
package enum ValueCoding {
    /// Returns the JSON form of a value.
    package static func json(_ value: StoredValue) -> JSONValue {
        switch value {
        case .null: .null
        case .boolean(let isTrue): .boolean(isTrue)
        case .integer(let number): .number("\(number)")
        case .decimal(let number): .number("\(number)")
        case .double(let number): .number("\(number)")
        case .string(let text): .string(text)
        default: .string(text(value))
        }
    }

    /// Returns the text of a value that JSON cannot represent directly.
    private static func text(_ value: StoredValue) -> String {
        var buffer = ByteBuffer()
        // A value without a text form, such as a date outside the calendar, is described; a reader rejects the
        // description.
        do { try value.coding?.write(value, to: &buffer) } catch { return value.description }
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// Returns the value of an attribute type that a JSON value represents; a JSON text is parsed like a cell of a data
    /// file.
    static func value(_ json: JSONValue, of type: AttributeType) throws(InvalidText) -> StoredValue {
        let coding = type.coding
        switch json.content {
        case .string(let text): return try coding.parse(text)
        case .boolean(let isTrue) where coding.json == .boolean: return .boolean(isTrue)
        case .number(let text) where coding.json == .number: return try number(text, of: type)
        default: throw InvalidText("\(json.kind), but \(coding.jsonName) is expected")
        }
    }

    /// Returns the value of a JSON number, whose kind depends on the text and on the type.
    ///
    /// For example, `5` as a rule of a decimal is an integer, and `5.0` is a decimal.
    private static func number(_ text: String, of type: AttributeType) throws(InvalidText) -> StoredValue {
        let isWhole = text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
        switch type {
        case .double where !isWhole, .integer16, .integer32, .integer64:
            return try type.coding.parseNumber(Array(text.utf8).span)
        default: break
        }
        if isWhole, let number = Int64(text) { return .integer(number) }
        if case .decimal = type, let number = ScaledDecimal(utf8: Array(text.utf8)) { return .decimal(number) }
        return try type.coding.parseNumber(Array(text.utf8).span)
    }
}
