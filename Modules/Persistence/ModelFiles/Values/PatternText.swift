/// A pattern of the model, and what the standard's readers take for the same.
///
/// The model's pattern has to match the whole text. The standard says so too (XML Schema), but people write `^…$` as they are used to, and
/// tools take the signs for what they are there: one of each is left out.
enum PatternText {
    /// The pattern as a file has it, so that reading gives it back.
    static func written(_ pattern: String) -> String {
        (pattern.hasPrefix("^") ? "^" : "") + pattern + (endsWithAnchor(pattern) ? "$" : "")
    }

    /// The pattern that a file means.
    static func read(_ text: String) -> String {
        var pattern = text[...]
        if pattern.hasPrefix("^") { pattern = pattern.dropFirst() }
        if endsWithAnchor(String(pattern)) { pattern = pattern.dropLast() }
        return String(pattern)
    }

    /// A block of characters as XML Schema has them, `\p{IsGreek}`, which others take for something else; `nil` where there is none.
    static func block(_ text: String) -> String? {
        for sign in ["\\p{Is", "\\P{Is"] {
            guard let start = text.firstRange(of: sign) else { continue }
            let isEscaped = text[..<start.lowerBound].reversed().prefix { $0 == "\\" }.count % 2 == 1
            let end = text[start.upperBound...].firstIndex(of: "}").map { text.index(after: $0) } ?? text.endIndex
            if !isEscaped { return String(text[start.lowerBound..<end]) }
        }
        return nil
    }

    /// Whether the last sign is an anchor, and not a dollar behind a backslash.
    private static func endsWithAnchor(_ pattern: String) -> Bool {
        guard pattern.hasSuffix("$") else { return false }
        return pattern.dropLast().reversed().prefix { $0 == "\\" }.count.isMultiple(of: 2)
    }
}
