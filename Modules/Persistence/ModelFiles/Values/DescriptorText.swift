import StrataCore

/// The limits and the parsing of a descriptor's text, or of a schema in a separate file.
enum DescriptorText {
    /// The maximum size of a descriptor in bytes.
    static let maximumByteCount = 16 << 20

    /// The maximum depth of nested values: the document itself and 64 levels; descriptors have about eight levels.
    ///
    /// The limit bounds the recursion of the reader, because the file may be from an untrusted source.
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
    ///
    /// - Parameter json: The bytes in UTF-8; the caller has checked their count.
    /// - Returns: The value, with the members of objects in their order in the text.
    /// - Throws: `JSONSyntaxError` with the offset of the first error, also for a name that occurs twice in one object.
    static func tree(_ json: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        try JSONTreeReader.read(json, deepest: deepestNesting)
    }
}
