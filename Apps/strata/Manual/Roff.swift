/// A page in the language of man(7), line by line.
struct Roff {
    /// The lines so far.
    private(set) var lines: [String] = []

    /// A heading of the page.
    mutating func section(_ title: String) { lines.append(".SH \(Self.argument(title))") }

    /// A heading below that.
    mutating func subsection(_ title: String) { lines.append(".SS \(Self.argument(title))") }

    /// A paragraph of plain text.
    mutating func paragraph(_ text: String) {
        // Right below a heading man(7) begins a paragraph by itself.
        if let last = lines.last, !last.hasPrefix(".SH"), !last.hasPrefix(".SS") { lines.append(".PP") }
        lines.append(Self.line(Self.escaped(text)))
    }

    /// An entry with its description beside or below it; the entry is in the language of the page already.
    mutating func entry(_ entry: String, _ description: String) {
        lines.append(".TP")
        lines.append(Self.line(entry))
        lines.append(Self.line(Self.escaped(description)))
    }

    /// Lines that stay as they are.
    mutating func example(_ examples: [String]) {
        lines += [".nf", ".RS 4"]
        lines += examples.map { Self.line(Self.escaped($0)) }
        lines += [".RE", ".fi"]
    }

    /// A line of the page as it is.
    mutating func raw(_ line: String) { lines.append(line) }

    /// Text in bold.
    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fP" }

    /// Text in italics.
    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fP" }

    /// Text in which nothing commands: dashes as they are typed, quotes and backslashes as they are.
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            default: result.append(character)
            }
        }
    }

    /// A line that begins with text, not with a request.
    private static func line(_ text: String) -> String {
        text.hasPrefix(".") ? "\\&\(text)" : text
    }

    private static func argument(_ text: String) -> String {
        text.contains(" ") ? "\"\(escaped(text))\"" : escaped(text)
    }
}
