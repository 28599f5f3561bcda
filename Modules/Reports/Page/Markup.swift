/// Writes elements, so that whatever is written is well formed, as HTML and as XML, and no data is taken for markup.
struct Markup {
    /// An attribute's name and its value, which is escaped.
    typealias Attributes = KeyValuePairs<String, String>

    /// What was written.
    private(set) var html = ""

    /// An element with what `body` writes.
    mutating func element(_ name: String, attributes: Attributes = [:], _ body: (inout Markup) -> Void) {
        open(name, attributes)
        html += ">"
        body(&self)
        html += "</\(name)>"
    }

    /// An element with a text.
    mutating func element(_ name: String, _ attributes: Attributes = [:], text: String) {
        element(name, attributes: attributes) { $0.text(text) }
    }

    /// An element without content.
    mutating func empty(_ name: String, _ attributes: Attributes = [:]) {
        open(name, attributes)
        html += " />"
    }

    /// A text, whatever it holds.
    mutating func text(_ text: String) { Self.escape(text, into: &html) }

    /// A text of the store's data, kept from turning the direction of what stands beside it.
    mutating func data(_ text: String, isCut: Bool = false) {
        element("bdi", text: isCut || text.unicodeScalars.count > TextKey.shownScalars ? Self.cut(text) : text)
    }

    /// A line break, for whoever reads the source.
    mutating func line() { html += "\n" }

    /// Text that is markup already: the style sheet and the document's type.
    mutating func verbatim(_ text: String) { html += text }

    private mutating func open(_ name: String, _ attributes: Attributes) {
        html += "<\(name)"
        for (name, value) in attributes {
            html += " \(name)=\""
            Self.escape(value, into: &html)
            html += "\""
        }
    }

    private static func cut(_ text: String) -> String {
        var start = String.UnicodeScalarView()
        start.append(contentsOf: text.unicodeScalars.prefix(TextKey.shownScalars))
        return String(start) + "…"
    }

    private static func escape(_ text: String, into html: inout String) {
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = isMark(scalar) ? marks + 1 : 0
            // A heap of accents reaches over the lines around it.
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

    /// The most marks above and below one letter; no script needs more.
    private static let mostMarks = 4

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }

    /// Controls as their pictures; a replacement character for what XML cannot hold or turns the direction of writing.
    private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x00..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        case 0x80..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: "\u{FFFD}"
        default: scalar
        }
    }
}
