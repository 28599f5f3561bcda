public import StrataCore

extension SpellingOption {
    /// Why the option, taken for all columns, says nothing of columns of some types; nil where it says something of one, or is no spelling of all.
    ///
    /// - Parameter types: The types of all columns that there are.
    /// - Returns: The reason, in one sentence without an end: `"%H:%M" is no date format for any column: no dataset here has times of day`.
    /// - Complexity: O(*n*) in the types.
    public func problem(ofAll types: [AttributeType]) -> String? {
        guard let ofAll else { return nil }
        let (fits, what): (Bool, String) =
            switch kind {
            case .dateFormat where ofAll.dateFormat != nil:
                (types.contains(.date) || types.contains(.day), "dates or days")
            case .dateFormat: (types.contains(.timeOfDay), "times of day")
            case .decimal, .group: (types.contains(where: \.isNumber), "numbers")
            case .trueWord, .falseWord: (types.contains(.boolean), "truth values")
            }
        return fits
            ? nil : "\(PrintableText.quoted(text)) is no \(kind.name) for any column: no dataset here has \(what)"
    }
}

extension AttributeType {
    var isNumber: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .double, .decimal: true
        default: false
        }
    }
}
