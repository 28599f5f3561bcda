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
}
