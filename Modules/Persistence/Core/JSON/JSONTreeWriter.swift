/// A writer of JSON documents in a layout for people.
package struct JSONTreeWriter {
    private let layout: JSONTreeLayout
    private var text = ""

    private init(_ layout: JSONTreeLayout) { self.layout = layout }

    /// Returns a value as a JSON document, with a line feed at its end.
    package static func text(_ value: JSONValue, _ layout: JSONTreeLayout) -> String {
        var writer = JSONTreeWriter(layout)
        writer.write(value, depth: 0, used: 0)
        return writer.text + "\n"
    }

    /// Returns a value as a JSON document on one line.
    package static func line(_ value: JSONValue, _ layout: JSONTreeLayout) -> String {
        JSONTreeWriter(layout).line(value)
    }

    private mutating func write(_ value: JSONValue, depth: Int, used: Int) {
        let margin = String(repeating: " ", count: 2 * (depth + 1))
        switch value.content {
        case .array(let elements) where !elements.isEmpty && !fits(value, depth: depth, used: used):
            text += "["
            for (number, element) in elements.enumerated() {
                text += (number == 0 ? "\n" : ",\n") + margin
                write(element, depth: depth + 1, used: margin.utf8.count)
            }
            text += "\n" + margin.dropLast(2) + "]"
        case .object(let members) where !members.isEmpty && !fits(value, depth: depth, used: used):
            text += "{"
            for (number, member) in members.enumerated() {
                let name = "\(margin)\(quoted(member.name)): "
                text += (number == 0 ? "\n" : ",\n") + name
                write(member.value, depth: depth + 1, used: name.utf8.count)
            }
            text += "\n" + margin.dropLast(2) + "}"
        default: text += line(value)
        }
    }

    private func fits(_ value: JSONValue, depth: Int, used: Int) -> Bool {
        layout.fitsOnOneLine(.init(value: value, depth: depth, used: used) { line(value) })
    }

    private func line(_ value: JSONValue) -> String {
        switch value.content {
        case .null: return "null"
        case .boolean(let isTrue): return isTrue ? "true" : "false"
        case .number(let digits): return digits
        case .string(let text): return quoted(text)
        case .array(let elements): return "[" + elements.map(line).joined(separator: ", ") + "]"
        case .object(let members):
            guard !members.isEmpty else { return "{}" }
            let padding = layout.padsBraces ? " " : ""
            let written = members.map { "\(quoted($0.name)): \(line($0.value))" }.joined(separator: ", ")
            return "{\(padding)\(written)\(padding)}"
        }
    }

    private func quoted(_ text: String) -> String {
        if isPlain(text) { return "\"" + text + "\"" }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..<" ": quoted += Self.escape(scalar)
            case "\u{7F}" where layout.escapesDelete: quoted += Self.escape(scalar)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Returns a Boolean value that indicates whether a text needs no escape sequences in JSON.
    private func isPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var place = 0
            while place < bytes.count {
                let byte = bytes[place]
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F {
                    return false
                }
                place += 1
            }
            return true
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
