/// Functions that prepare text from a file for output on one line of a terminal.
///
/// A file may contain any text: control characters could move the cursor or change the terminal's colors, and a field
/// of megabytes would hide the message.
///
/// Every message with text of a file must use it. The length is counted in Unicode scalars.
package enum PrintableText {
    /// The maximum count of characters of a text that a message shows.
    static let longest = 60

    /// Returns a text with escaped control and direction characters, truncated after ``longest`` characters.
    static func escaped(_ text: String) -> String { escaped(text, longest: longest) }

    /// Returns a text with escaped control and direction characters, truncated after `longest` characters.
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

    /// Returns a text with escaped control characters in quotes, truncated after ``longest`` characters.
    package static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// The maximum count of problems that one message lists.
    static let mostProblems = 20

    /// Returns the problems as one sentence; if there are more than ``mostProblems``, the others are only counted.
    static func listed(_ problems: [String]) -> String {
        let text = problems.prefix(mostProblems).joined(separator: "; ")
        let more = problems.count - mostProblems
        return more > 0 ? "\(text); and \(more) more" : text
    }
}
