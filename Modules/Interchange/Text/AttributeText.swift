import StrataCore

/// What is said of a dataset's texts.
enum AttributeText {
    /// What is wrong with a text, for the person whose file it is: `"abc" is not a whole number`.
    static func message(_ bytes: Span<UInt8>, _ error: InvalidText) -> String {
        let text = PrintableText.quoted(String(decoding: bytes))
        let isPredicate = ["not ", "out of ", "a decimal "].contains { error.reason.hasPrefix($0) }
        return isPredicate ? "\(text) is \(error.reason)" : "\(text): \(error.reason)"
    }
}
