/// Text of a file, made fit for one line of a terminal.
///
/// A file may hold anything: control characters would move the cursor or change the terminal's colours, and a field of megabytes would bury the
/// message.
package enum PrintableText {
    /// The most characters that are shown.
    static let longest = 60

    /// The text with characters escaped that control a terminal or the direction of what follows, cut when it is long.
    static func escaped(_ text: String) -> String { escaped(text, longest: longest) }

    /// The same, cut elsewhere.
    package static func escaped(_ text: String, longest: Int) -> String {
        // Most texts need nothing.
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

    /// The escaped text in quotes.
    package static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// The most problems that are listed.
    static let mostProblems = 20

    /// Problems as one sentence; what is too much is counted.
    static func listed(_ problems: [String]) -> String {
        let text = problems.prefix(mostProblems).joined(separator: "; ")
        let more = problems.count - mostProblems
        return more > 0 ? "\(text); and \(more) more" : text
    }
}
