import StrataCore

/// The limits and the parsing of a descriptor's text, or of a schema in a separate file.
enum DescriptorText {
    /// The maximum size of a descriptor in bytes.
    static let maximumByteCount = 16 << 20

    /// The maximum depth of nested values: the document itself and 64 levels; descriptors have about eight levels.
    private static let deepestNesting = 65

    /// Returns a quoted text for a message, with control characters as escapes.
    static func shown(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": shown += "\\n"
            case "\r": shown += "\\r"
            case "\t": shown += "\\t"
            default:
                if scalar.value < 0x20 || scalar.value == 0x7F {
                    shown += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    shown.unicodeScalars.append(scalar)
                }
            }
        }
        return "“\(shown)”"
    }

    /// Returns the JSON value of a descriptor's bytes.
    static func tree(_ json: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        try JSONTreeReader.read(json, deepest: deepestNesting)
    }
}
