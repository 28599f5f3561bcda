package import StrataCore

extension JSONValue {
    /// Reads a JSON document.
    ///
    /// - Parameter json: The document in UTF-8, with or without a byte order mark.
    /// - Returns: The value of the document.
    /// - Throws: ``FixtureError`` with the code `malformed`, the line and the column if the document is not valid JSON.
    package static func read(_ json: [UInt8]) throws(FixtureError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONTreeReader.read(json)
        } catch {
            throw JSONValue(.null, at: error.place).error(code: .malformed, error.reason.message)
        }
    }

    /// The value as JSON, indented by two spaces; a value that fits on one line is written on one line.
    package var json: String { JSONTreeWriter.text(self, .description) }

    /// The name of the JSON value's kind, for messages.
    var kind: String {
        switch content {
        case .null: "null"
        case .boolean: "a truth value"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// Returns an error with the location of this JSON value.
    package func error(
        code: FixtureError.Code = .invalidDescription, entity: String? = nil, attribute: String? = nil,
        _ message: String
    ) -> FixtureError {
        var error = FixtureError(code, entity: entity, attribute: attribute, message)
        error.line = place?.line
        error.column = place?.column
        return error
    }

    /// A Boolean value that indicates whether the value contains nested objects, which need more than one line.
    fileprivate var hasObjectsInside: Bool {
        guard case .object(let members) = content else { return false }
        return members.contains { member in
            guard case .object(let inner) = member.value.content else { return false }
            return inner.contains { if case .object = $0.value.content { true } else { false } }
        }
    }
}

extension JSONTreeLayout {
    /// The maximum width of a JSON value on one line.
    private static let width = 100

    /// The layout of the JSON of descriptions, and of manifests that contain a description.
    static let description = JSONTreeLayout(padsBraces: true, escapesDelete: false) { candidate in
        candidate.depth > 0 && !candidate.value.hasObjectsInside && candidate.used + candidate.width <= width
    }
}

extension JSONSyntaxError.Reason {
    /// The text of the error for people.
    fileprivate var message: String {
        switch self {
        case .noValue: "the document ends where a value is expected"
        case .unknownValue: "this is not the beginning of a JSON value"
        case .moreBehind: "there is more text after the document"
        case .tooDeep: "the document is nested more than 64 levels deep"
        case .noName: "a name in quotes is expected here"
        case .repeatedName(let name): "the name \"\(name)\" occurs twice"
        case .noColon: "a colon is expected here"
        case .noEnd(let closing): "a comma or \(closing) is expected here"
        case .noDigit: "a digit is expected here"
        case .notUTF8: "the text is not valid UTF-8"
        case .endlessText: "the text has no closing quote"
        case .controlCharacter: "a control character must be written as an escape"
        case .unknownEscape: "this escape does not exist in JSON"
        case .noHexadecimalDigit: "an escape must have four hexadecimal digits"
        case .firstHalfAlone: "the first half of a pair of escapes has no second half"
        case .wrongSecondHalf: "the second half of a pair of escapes is invalid"
        case .secondHalfAlone: "the second half of a pair of escapes has no first half"
        }
    }
}
