/// A JSON value in memory and where it stands, so that what is wrong with it can be pointed at.
///
/// Foundation's decoders give numbers as doubles, members in no order and nothing a place; model files and descriptions of datasets have whole
/// numbers of 64 bits, and are written again.
package struct JSONValue: Sendable {
    /// The kinds of values.
    package indirect enum Content: Sendable {
        case null
        case boolean(Bool)
        /// A number as it is written: nothing is lost by reading it.
        case number(String)
        case string(String)
        case array([JSONValue])
        /// Members in their order; no two have the same name.
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

    /// A place in a text.
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

    /// What the value is.
    package var content: Content
    /// Where it begins; `nil` where it was not read.
    package var place: Place?

    package init(_ content: Content, at place: Place? = nil) {
        self.content = content
        self.place = place
    }

    /// The value of a member; `nil` where there is none, or this is no object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = content else { return nil }
        return members[name]
    }
}

extension [JSONValue.Member] {
    /// The value of a member, whose name is compared by its bytes: what Unicode takes for the same text may be two names.
    package subscript(name: String) -> JSONValue? {
        first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}

// MARK: - Made values

extension JSONValue {
    /// Null, of no place.
    package static var null: JSONValue { JSONValue(.null) }

    package static func boolean(_ isTrue: Bool) -> JSONValue { JSONValue(.boolean(isTrue)) }

    /// A number whose description is JSON's.
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
