import Foundation

/// The output of a command as JSON.
enum JSONObject {
    /// Returns a value as indented JSON with sorted keys and a line break at the end.
    ///
    /// - Throws: `EncodingError` if JSON cannot represent the value.
    static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }

    /// Returns a text as a JSON string with quotation marks.
    ///
    /// - Throws: `EncodingError` if the text cannot be encoded.
    static func string(_ text: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return String(decoding: try encoder.encode(text), as: UTF8.self)
    }
}
