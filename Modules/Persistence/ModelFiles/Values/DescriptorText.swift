import StrataCore

/// The text of a descriptor, or of a schema in a file of its own.
enum DescriptorText {
    /// The most bytes that are read.
    static let maximumByteCount = 16 << 20

    /// A descriptor has some eight levels: 64, and the document itself.
    private static let deepestNesting = 65

    /// What a text says.
    static func tree(_ json: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        try JSONTreeReader.read(json, deepest: deepestNesting)
    }
}
