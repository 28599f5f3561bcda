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
        return !isDeeper(than: 2)
    }

    /// Whether it has more than so many levels.
    ///
    /// Looks no further down than that, since it is asked of every value on the way down.
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
    /// What is no longer than this stands on one line.
    private static let longestLine = 100

    /// The layout of model files.
    package static let modelFile = JSONTreeLayout(padsBraces: false, escapesDelete: true) { candidate in
        candidate.value.isFlat && 2 * candidate.depth + candidate.width <= longestLine
    }
}
