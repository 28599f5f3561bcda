/// A conversion between the patterns of a model and the patterns in a descriptor of the Data Package standard.
///
/// A pattern of the model must match a whole text. The Data Package standard (by XML Schema) requires the same, but
/// authors often write `^…$`, and tools treat these characters as anchors. Therefore a reader removes one `^` at the
/// beginning and one `$` at the end.
///
/// Reading the written form of a pattern returns the same pattern, also if the pattern itself begins with `^` or ends
/// with `$`.
enum PatternText {
    /// Returns the text of a pattern in a descriptor, from which a reader gets the same pattern.
    static func written(_ pattern: String) -> String {
        (pattern.hasPrefix("^") ? "^" : "") + pattern + (endsWithAnchor(pattern) ? "$" : "")
    }

    /// Returns the pattern that a text in a descriptor represents.
    static func read(_ text: String) -> String {
        var pattern = text[...]
        if pattern.hasPrefix("^") { pattern = pattern.dropFirst() }
        if endsWithAnchor(String(pattern)) { pattern = pattern.dropLast() }
        return String(pattern)
    }

    /// Returns a character block of XML Schema in a pattern, such as `\p{IsGreek}`, or `nil` if the pattern contains
    /// none.
    ///
    /// Other implementations of patterns give such a block another meaning.
    static func block(_ text: String) -> String? {
        for sign in ["\\p{Is", "\\P{Is"] {
            guard let start = text.firstRange(of: sign) else { continue }
            let isEscaped = text[..<start.lowerBound].reversed().prefix { $0 == "\\" }.count % 2 == 1
            let end = text[start.upperBound...].firstIndex(of: "}").map { text.index(after: $0) } ?? text.endIndex
            if !isEscaped { return String(text[start.lowerBound..<end]) }
        }
        return nil
    }

    /// Returns a Boolean value that indicates whether a pattern ends with the anchor `$`, and not with an escaped
    /// dollar sign.
    private static func endsWithAnchor(_ pattern: String) -> Bool {
        guard pattern.hasSuffix("$") else { return false }
        return pattern.dropLast().reversed().prefix { $0 == "\\" }.count.isMultiple(of: 2)
    }
}
