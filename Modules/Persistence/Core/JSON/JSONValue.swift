/// A JSON value in memory with its location, so that messages can point at it.
///
/// Foundation's decoders return numbers as doubles, members without an order, and no locations. Model files and
/// descriptions of datasets contain 64-bit integers, and they are written back.
package struct JSONValue: Sendable {
    /// The kinds of values.
    package indirect enum Content: Sendable {
        case null
        case boolean(Bool)
        /// A number as it is written, so that reading loses no digits.
        case number(String)
        case string(String)
        case array([JSONValue])
        /// The members in their order; no two have the same name.
        case object([Member])
    }

    /// One member of an object.
    package struct Member: Sendable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// A location in a text.
    package struct Place: Sendable, Hashable {
        /// The line, from 1.
        package var line: Int
        /// The byte in the line, from 1.
        package var column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// The content of the value.
    package var content: Content
    /// The location where the value begins; `nil` if the value was not read from a text.
    package var place: Place?

    package init(_ content: Content, at place: Place? = nil) {
        self.content = content
        self.place = place
    }

    /// The value of a member; `nil` if the member does not exist, or if this value is not an object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = content else { return nil }
        return members[name]
    }
}

extension [JSONValue.Member] {
    /// The value of a member; `nil` if the member does not exist.
    ///
    /// Names are compared by their bytes: canonically equivalent texts may be two names.
    package subscript(name: String) -> JSONValue? {
        first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}

// MARK: - Created values

extension JSONValue {
    /// A null value without a location.
    package static var null: JSONValue { JSONValue(.null) }

    package static func boolean(_ isTrue: Bool) -> JSONValue { JSONValue(.boolean(isTrue)) }

    /// Creates a number from a value whose description is a JSON number.
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
