import StrataCore

/// The text of a descriptor, or of a schema in a file of its own.
enum DescriptorText {
    /// The most bytes that are read.
    static let maximumByteCount = 16 << 20

    /// A descriptor has some eight levels: 64, and the document itself.
    private static let deepestNesting = 65

    /// A text for a message, what cannot be seen of it as an escape.
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

    /// What a text says.
    static func tree(_ json: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        try JSONTreeReader.read(json, deepest: deepestNesting)
    }
}
