/// A place in a JSON document, written as RFC 6901 says: `/resources/0/schema/fields/2`.
struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    private(set) var description = ""

    /// The place of a member.
    subscript(_ name: String) -> JSONPointer {
        var escaped = ""
        for character in name.unicodeScalars {
            switch character {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return JSONPointer(description: description + "/" + escaped)
    }

    /// The place of an element.
    subscript(_ index: Int) -> JSONPointer { JSONPointer(description: description + "/\(index)") }

    /// The whole of a document.
    init() {}

    /// The whole of another file than the model file.
    init(file: String) {
        description = file + "#"
    }

    private init(description: String) {
        self.description = description
    }
}
