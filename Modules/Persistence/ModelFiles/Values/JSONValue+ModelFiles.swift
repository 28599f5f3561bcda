package import StrataCore

extension JSONValue {
    /// A noun for the kind of the value, for messages.
    var kind: String {
        switch content {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    private var isObject: Bool { if case .object = content { true } else { false } }

    /// A Boolean value that indicates whether the value is written on one line: it has at most two levels and is no
    /// list of objects.
    ///
    /// A list of objects is never written on one line, because it is easier to read with one line for each object.
    fileprivate var isFlat: Bool {
        if case .array(let elements) = content, elements.contains(where: \.isObject) { return false }
        return !isDeeper(than: 2)
    }

    /// Returns a Boolean value that indicates whether the value has more than a count of nested levels.
    ///
    /// The method stops at that level, because it is called for every value.
    private func isDeeper(than levels: Int) -> Bool {
        switch content {
        case .array(let elements):
            guard levels > 0 else { return true }
            for element in elements where element.isDeeper(than: levels - 1) { return true }
            return false
        case .object(let members):
            guard levels > 0 else { return true }
            for member in members where member.value.isDeeper(than: levels - 1) { return true }
            return false
        default: return false
        }
    }
}

extension JSONTreeLayout {
    /// The maximum length of a value that is written on one line, in characters, including its indentation.
    private static let longestLine = 100

    /// The layout of line breaks and spaces in model files.
    package static let modelFile = JSONTreeLayout(padsBraces: false, escapesDelete: true) { candidate in
        candidate.value.isFlat && 2 * candidate.depth + candidate.width <= longestLine
    }
}
