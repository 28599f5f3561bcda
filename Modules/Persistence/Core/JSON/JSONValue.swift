/// A JSON value in memory with its location in the text, so that error messages can name the location.
///
/// Foundation's decoders return numbers as doubles, objects with unordered members, and no locations. Model files and
/// descriptions of datasets contain 64-bit integers, and they are written back in their original order.
package struct JSONValue: Sendable {
    /// The content of a JSON value, by its kind.
    package indirect enum Content: Sendable {
        case null
        case boolean(Bool)
        /// A number as it is written in the text, so that no digits are lost.
        case number(String)
        case string(String)
        case array([JSONValue])
        /// The members of an object in their order; no two members have the same name.
        case object([Member])
    }

    /// One member of a JSON object: a name and a value.
    package struct Member: Sendable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// A location in a JSON text: a line and a column.
    package struct Place: Sendable, Hashable {
        /// The number of the line in the text, from 1.
        package var line: Int
        /// The number of the byte in the line, from 1.
        package var column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// The content of the JSON value.
    package var content: Content
    /// The location in the text where the value begins; `nil` if the value was not read from a text.
    package var place: Place?

    package init(_ content: Content, at place: Place? = nil) {
        self.content = content
        self.place = place
    }

    /// The value of the object's member with a name; `nil` if there is no such member, or if this value is not an
    /// object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = content else { return nil }
        return members[name]
    }
}

extension [JSONValue.Member] {
    /// The value of the member with a name; `nil` if there is no such member.
    ///
    /// Names are compared by their bytes: canonically equivalent texts may be the names of two members.
    package subscript(name: String) -> JSONValue? {
        first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}

// MARK: - Created values

extension JSONValue {
    /// A JSON null value without a location.
    package static var null: JSONValue { JSONValue(.null) }

    package static func boolean(_ isTrue: Bool) -> JSONValue { JSONValue(.boolean(isTrue)) }

    /// Creates a JSON number from a value whose description is a JSON number.
    package static func number(_ number: some CustomStringConvertible) -> JSONValue {
        JSONValue(.number(number.description))
    }

    package static func string(_ text: String) -> JSONValue { JSONValue(.string(text)) }
    package static func array(_ elements: [JSONValue]) -> JSONValue { JSONValue(.array(elements)) }
    package static func object(_ members: [Member]) -> JSONValue { JSONValue(.object(members)) }

    package static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { Member(name: $0.0, value: $0.1) })
    }
}
