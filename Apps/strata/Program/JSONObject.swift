import Foundation

/// What a command says to programs.
enum JSONObject {
    /// A value as JSON, indented, its keys sorted, with a line break at the end.
    ///
    /// - Throws: `EncodingError` for a value that JSON has no words for.
    static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }
}
