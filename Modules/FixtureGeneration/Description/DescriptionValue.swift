/// A JSON value and where it stands, so that what is wrong with it can be pointed at.
package struct DescriptionValue: Sendable {
    /// The kinds of values.
    package indirect enum Content: Sendable {
        case null
        case boolean(Bool)
        /// A number as it is written: nothing is lost by reading it.
        case number(String)
        case string(String)
        case array([DescriptionValue])
        /// Members in their order; no two have the same name.
        case object([Member])
    }

    /// One member of an object.
    package struct Member: Sendable {
        package var name: String
        package var value: DescriptionValue

        package init(name: String, value: DescriptionValue) {
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
    }

    /// What the value is.
    package var content: Content
    /// Where it begins; `nil` where it was not read.
    package var place: Place?

    package init(_ content: Content, at place: Place? = nil) {
        self.content = content
        self.place = place
    }

    /// Reads a JSON document.
    ///
    /// - Parameter json: UTF-8, with or without a byte order mark.
    /// - Returns: The document's value.
    /// - Throws: ``FixtureError`` with the code `malformed`, the line and the column.
    package static func read(_ json: [UInt8]) throws(FixtureError) -> DescriptionValue {
        try DescriptionReader.read(json)
    }

    /// The value of a member; `nil` where there is none, or this is no object.
    package subscript(name: String) -> DescriptionValue? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// What the value is, for messages.
    package var kind: String {
        switch content {
        case .null: "null"
        case .boolean: "a truth value"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// An error about this place.
    package func error(
        code: FixtureError.Code = .invalidDescription, entity: String? = nil, attribute: String? = nil,
        _ message: String
    ) -> FixtureError {
        var error = FixtureError(code, entity: entity, attribute: attribute, message)
        error.line = place?.line
        error.column = place?.column
        return error
    }
}
