/// Writes a JSON document as people read it: two spaces a level, and what is short on one line.
struct JSONTreeWriter {
    /// What is no longer than this stands on one line.
    private static let longestLine = 100

    private var text = ""

    /// The document, with a line feed at its end.
    static func text(_ value: JSONValue) -> String {
        var writer = JSONTreeWriter()
        writer.write(value, indent: 0)
        return writer.text + "\n"
    }

    /// The document on one line.
    static func line(_ value: JSONValue) -> String {
        var writer = JSONTreeWriter()
        writer.writeFlat(value)
        return writer.text
    }

    private mutating func write(_ value: JSONValue, indent: Int) {
        switch value {
        case .array(let elements) where !elements.isEmpty && !Self.isShort(value, indent: indent):
            writeLines(elements, "[", "]", indent: indent) { writer, element in
                writer.write(element, indent: indent + 2)
            }
        case .object(let members) where !members.isEmpty && !Self.isShort(value, indent: indent):
            writeLines(members, "{", "}", indent: indent) { writer, member in
                writer.write(text: member.name)
                writer.text += ": "
                writer.write(member.value, indent: indent + 2)
            }
        default: writeFlat(value)
        }
    }

    private mutating func writeLines<Element>(
        _ elements: [Element], _ opening: String, _ closing: String, indent: Int,
        _ body: (inout JSONTreeWriter, Element) -> Void
    ) {
        let margin = "\n" + String(repeating: " ", count: indent)
        text += opening
        for (index, element) in elements.enumerated() {
            text += (index == 0 ? "" : ",") + margin + "  "
            body(&self, element)
        }
        text += margin + closing
    }

    private static func isShort(_ value: JSONValue, indent: Int) -> Bool {
        // What holds objects in lists is read better line by line, however short.
        if case .array(let elements) = value, elements.contains(where: \.isObject) { return false }
        guard value.isFlat else { return false }
        return indent + line(value).utf8.count <= longestLine
    }

    private mutating func writeFlat(_ value: JSONValue) {
        switch value {
        case .null: text += "null"
        case .boolean(let isTrue): text += isTrue ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): write(text: string)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += ", " }
                writeFlat(element)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += ", " }
                write(text: member.name)
                text += ": "
                writeFlat(member.value)
            }
            text += "}"
        }
    }

    private mutating func write(text string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<" ", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension JSONValue {
    fileprivate var isObject: Bool { if case .object = self { true } else { false } }

    /// Whether it has at most two levels.
    fileprivate var isFlat: Bool { depth <= 2 }

    private var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.lazy.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }
}
