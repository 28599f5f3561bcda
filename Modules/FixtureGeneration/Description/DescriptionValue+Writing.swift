extension DescriptionValue {
    /// The value as JSON, indented by two spaces; what fits on a line stands on one.
    package var json: String {
        var text = ""
        write(indentation: 0, used: 0, to: &text)
        return text + "\n"
    }

    private static let width = 100

    private func write(indentation: Int, used: Int, to text: inout String) {
        let line = compact
        if indentation > 0, used + line.utf8.count <= Self.width, !hasObjectsInside {
            text += line
            return
        }
        let inner = String(repeating: " ", count: 2 * (indentation + 1))
        let outer = String(repeating: " ", count: 2 * indentation)
        switch content {
        case .array(let elements) where !elements.isEmpty:
            text += "["
            for (number, element) in elements.enumerated() {
                text += (number == 0 ? "\n" : ",\n") + inner
                element.write(indentation: indentation + 1, used: inner.utf8.count, to: &text)
            }
            text += "\n\(outer)]"
        case .object(let members) where !members.isEmpty:
            text += "{"
            for (number, member) in members.enumerated() {
                let name = "\(inner)\(Self.quoted(member.name)): "
                text += (number == 0 ? "\n" : ",\n") + name
                member.value.write(indentation: indentation + 1, used: name.utf8.count, to: &text)
            }
            text += "\n\(outer)}"
        default: text += line
        }
    }

    /// Whether this is an object of objects of objects: too much for one line, however short.
    private var hasObjectsInside: Bool {
        guard case .object(let members) = content else { return false }
        return members.contains { member in
            guard case .object(let inner) = member.value.content else { return false }
            return inner.contains { if case .object = $0.value.content { true } else { false } }
        }
    }

    /// The value on one line.
    private var compact: String {
        switch content {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let digits): digits
        case .string(let text): Self.quoted(text)
        case .array(let elements): "[" + elements.map(\.compact).joined(separator: ", ") + "]"
        case .object(let members):
            members.isEmpty
                ? "{}"
                : "{ " + members.map { "\(Self.quoted($0.name)): \($0.value.compact)" }.joined(separator: ", ") + " }"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
