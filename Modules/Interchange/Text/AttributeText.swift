import StrataCore

/// Messages about the texts of a dataset.
enum AttributeText {
    /// Returns the problem of a text, for the owner of the file: `"abc" is not a whole number`.
    static func message(_ bytes: Span<UInt8>, _ error: InvalidText) -> String {
        let text = PrintableText.quoted(String(decoding: bytes))
        let isPredicate = ["not ", "out of ", "a decimal "].contains { error.reason.hasPrefix($0) }
        return isPredicate ? "\(text) is \(error.reason)" : "\(text): \(error.reason)"
    }
}
