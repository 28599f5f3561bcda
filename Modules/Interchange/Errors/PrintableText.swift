/// Functions that make text of a file fit for one line of a terminal.
///
/// A file may contain any text: control characters could move the cursor or change the terminal's colors, and a field
/// of megabytes would hide the message.
package enum PrintableText {
    /// The maximum count of characters that are shown.
    static let longest = 60

    /// Returns the text with control and direction characters escaped, truncated if it is long.
    static func escaped(_ text: String) -> String { escaped(text, longest: longest) }

    /// Returns the text with control and direction characters escaped, truncated after `longest` characters.
    package static func escaped(_ text: String, longest: Int) -> String {
        // Most texts need no change.
        if text.utf8.count <= longest, text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
        var shown = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < longest else { return shown + "…" }
            count += 1
            switch scalar {
            case "\n": shown += "\\n"
            case "\r": shown += "\\r"
            case "\t": shown += "\\t"
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// Returns the escaped text in quotes.
    package static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// The maximum count of problems that are listed.
    static let mostProblems = 20

    /// Returns problems as one sentence; problems over the limit are counted.
    static func listed(_ problems: [String]) -> String {
        let text = problems.prefix(mostProblems).joined(separator: "; ")
        let more = problems.count - mostProblems
        return more > 0 ? "\(text); and \(more) more" : text
    }
}
