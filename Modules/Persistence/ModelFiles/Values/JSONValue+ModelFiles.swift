package import StrataCore

extension JSONValue {
    /// What it is, for messages.
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

    /// Whether it has at most two levels, and is no list of objects, which is read better line by line, however short.
    fileprivate var isFlat: Bool {
        if case .array(let elements) = content, elements.contains(where: \.isObject) { return false }
        return depth <= 2
    }

    private var depth: Int {
        switch content {
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.lazy.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }
}

extension JSONTreeLayout {
    /// What is no longer than this stands on one line.
    private static let longestLine = 100

    /// The layout of model files.
    package static let modelFile = JSONTreeLayout(padsBraces: false, escapesDelete: true) { candidate in
        candidate.value.isFlat && 2 * candidate.depth + candidate.width <= longestLine
    }
}
