/// A writer of elements that are well-formed HTML and XML; data is escaped and never interpreted as markup.
///
/// Only `verbatim(_:)` writes text without escaping it, and it is used only for constants. Values of the store are
/// written with `data(_:isCut:)`, all other texts with `text(_:)`. Therefore no value of a store can change the
/// structure of the page.
struct Markup {
    /// The names and values of attributes; the values are escaped.
    typealias Attributes = KeyValuePairs<String, String>

    /// The markup written so far.
    private(set) var html = ""

    /// Writes an element with the content that `body` writes.
    mutating func element(_ name: String, attributes: Attributes = [:], _ body: (inout Markup) -> Void) {
        open(name, attributes)
        html += ">"
        body(&self)
        html += "</\(name)>"
    }

    /// Writes an element with a text.
    mutating func element(_ name: String, _ attributes: Attributes = [:], text: String) {
        element(name, attributes: attributes) { $0.text(text) }
    }

    /// Writes an element without content.
    mutating func empty(_ name: String, _ attributes: Attributes = [:]) {
        open(name, attributes)
        html += " />"
    }

    /// Writes any text, which is escaped.
    mutating func text(_ text: String) { Self.escape(text, into: &html) }

    /// Writes a text of the store's data, isolated so that it does not change the writing direction around it.
    mutating func data(_ text: String, isCut: Bool = false) {
        element("bdi", text: isCut || text.unicodeScalars.count > TextKey.shownScalars ? Self.cut(text) : text)
    }

    /// Writes a line break, which makes the source more readable.
    mutating func line() { html += "\n" }

    /// Writes text that is already markup: the style sheet and the document type.
    mutating func verbatim(_ text: String) { html += text }

    /// Writes the beginning of a tag with its attributes, without the closing bracket.
    private mutating func open(_ name: String, _ attributes: Attributes) {
        html += "<\(name)"
        for (name, value) in attributes {
            html += " \(name)=\""
            Self.escape(value, into: &html)
            html += "\""
        }
    }

    /// Returns the beginning of a text with an ellipsis.
    private static func cut(_ text: String) -> String {
        var start = String.UnicodeScalarView()
        start.append(contentsOf: text.unicodeScalars.prefix(TextKey.shownScalars))
        return String(start) + "…"
    }

    /// Appends a text with escaped markup, without characters that would damage the page.
    private static func escape(_ text: String, into html: inout String) {
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = isMark(scalar) ? marks + 1 : 0
            // A letter with many combining marks would cover the adjacent lines.
            if marks > mostMarks { continue }
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            default: html.unicodeScalars.append(shown(scalar))
            }
        }
    }

    /// The maximum number of combining marks on one letter; no script needs more.
    private static let mostMarks = 4

    /// Returns a Boolean value that indicates whether a character is drawn on the character before it.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }

    /// Returns a replacement for a character that cannot be shown.
    ///
    /// A control character becomes its symbol. A character that XML forbids, or that changes the writing direction,
    /// becomes U+FFFD.
    private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x00..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        case 0x80..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: "\u{FFFD}"
        default: scalar
        }
    }
}
