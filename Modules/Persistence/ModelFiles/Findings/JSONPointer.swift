/// A location in a JSON document according to RFC 6901, such as `/resources/0/schema/fields/2`.
///
/// A location in a separate file begins with the path of the file and a number sign: `schema.json#/fields/2`. The empty
/// text is the location of the whole model file. In a name, `~` is written as `~0`, and `/` as `~1`.
struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    private(set) var description = ""

    /// Returns the location of the member with a name in the object at this location.
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

    /// Returns the location of the element with an index in the array at this location.
    subscript(_ index: Int) -> JSONPointer { JSONPointer(description: description + "/\(index)") }

    /// Creates the location of the whole model file.
    init() {}

    /// Creates the location of a whole file other than the model file.
    init(file: String) {
        description = file + "#"
    }

    private init(description: String) {
        self.description = description
    }
}
