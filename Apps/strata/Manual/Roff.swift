/// A page in the language of man(7).
struct Roff {
    /// The lines written so far.
    private(set) var lines: [String] = []

    /// Adds a heading.
    mutating func section(_ title: String) { lines.append(".SH \(Self.argument(title))") }

    /// Adds a subheading.
    mutating func subsection(_ title: String) { lines.append(".SS \(Self.argument(title))") }

    /// Adds a paragraph of plain text.
    mutating func paragraph(_ text: String) {
        // After a heading, man(7) begins a paragraph automatically.
        if let last = lines.last, !last.hasPrefix(".SH"), !last.hasPrefix(".SS") { lines.append(".PP") }
        lines.append(Self.line(Self.escaped(text)))
    }

    /// Adds an entry with its description; the entry is already in the language of the page.
    mutating func entry(_ entry: String, _ description: String) {
        lines.append(".TP")
        lines.append(Self.line(entry))
        lines.append(Self.line(Self.escaped(description)))
    }

    /// Adds lines that are printed verbatim.
    mutating func example(_ examples: [String]) {
        lines += [".nf", ".RS 4"]
        lines += examples.map { Self.line(Self.escaped($0)) }
        lines += [".RE", ".fi"]
    }

    /// Adds a line in the language of the page.
    mutating func raw(_ line: String) { lines.append(line) }

    /// Returns a text in bold.
    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fP" }

    /// Returns a text in italics.
    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fP" }

    /// Returns a text without commands, in which dashes, quotes and backslashes are printed verbatim.
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

    /// Returns a line that begins with text and not with a request.
    private static func line(_ text: String) -> String {
        text.hasPrefix(".") ? "\\&\(text)" : text
    }

    private static func argument(_ text: String) -> String {
        text.contains(" ") ? "\"\(escaped(text))\"" : escaped(text)
    }
}
