public import StrataCore

extension SpellingOption {
    /// Returns the reason why the option, applied to all columns, fits no column.
    ///
    /// The result is `nil` if the option fits a column, or if it cannot apply to all columns.
    ///
    /// Use it before an import, to report a general option that has no effect because no dataset has values of its
    /// kind.
    ///
    /// - Parameter types: The types of all columns.
    /// - Returns: The reason, in one sentence without a period, such as `"%H:%M" is not a date format for any column`;
    ///   `nil` if a column fits.
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
            ? nil : "\(PrintableText.quoted(text)) is not a \(kind.name) for any column: no dataset has \(what)"
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
