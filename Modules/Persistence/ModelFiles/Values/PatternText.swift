/// A conversion between the patterns of the model and those of the standard.
///
/// The model's pattern must match the whole text. The same applies in the standard (XML Schema), but authors are used
/// to `^…$`, and tools treat the characters as anchors. One of each is therefore removed.
enum PatternText {
    /// Returns the form of a pattern in a file, from which a reader gets the same pattern.
    static func written(_ pattern: String) -> String {
        (pattern.hasPrefix("^") ? "^" : "") + pattern + (endsWithAnchor(pattern) ? "$" : "")
    }

    /// Returns the pattern that a text in a file means.
    static func read(_ text: String) -> String {
        var pattern = text[...]
        if pattern.hasPrefix("^") { pattern = pattern.dropFirst() }
        if endsWithAnchor(String(pattern)) { pattern = pattern.dropLast() }
        return String(pattern)
    }

    /// Returns a character block of XML Schema, such as `\p{IsGreek}`, or `nil` if there is none.
    ///
    /// Other implementations interpret it differently.
    static func block(_ text: String) -> String? {
        for sign in ["\\p{Is", "\\P{Is"] {
            guard let start = text.firstRange(of: sign) else { continue }
            let isEscaped = text[..<start.lowerBound].reversed().prefix { $0 == "\\" }.count % 2 == 1
            let end = text[start.upperBound...].firstIndex(of: "}").map { text.index(after: $0) } ?? text.endIndex
            if !isEscaped { return String(text[start.lowerBound..<end]) }
        }
        return nil
    }

    /// Returns a Boolean value that indicates whether the last character is an anchor and not an escaped dollar sign.
    private static func endsWithAnchor(_ pattern: String) -> Bool {
        guard pattern.hasSuffix("$") else { return false }
        return pattern.dropLast().reversed().prefix { $0 == "\\" }.count.isMultiple(of: 2)
    }
}
