/// A spelling as a command line gives it: `COLUMN=TEXT` for one column, or `TEXT` for all.
///
/// A date format may hold an equals sign, too. Which it is only the file can tell: what stands before the first one is a column if the file has one
/// of that name, whatever its case, `_`, `-` and spaces; otherwise the whole text is the spelling.
public struct SpellingOption: Sendable, Hashable {
    /// What is spelled.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Dates, days and times of day, by a ``DatePattern``.
        case dateFormat = "date-format"
        /// What stands before a fraction, a ``NumberSign``.
        case decimal
        /// What stands between groups of three digits, a ``NumberSign``.
        case group
        /// A word for true.
        case trueWord = "true"
        /// A word for false.
        case falseWord = "false"

        /// What it is, for messages: `date format`.
        public var name: String {
            switch self {
            case .dateFormat: "date format"
            case .decimal: "decimal sign"
            case .group: "group sign"
            case .trueWord: "word for true"
            case .falseWord: "word for false"
            }
        }
    }

    /// What is spelled.
    public let kind: Kind

    /// The option as it was given.
    public let text: String

    /// What stands before the first equals sign: a column, if the file has it.
    public let column: String?

    /// What it says of that column; `nil` where it would say nothing sensible.
    let ofColumn: ValueSpelling?

    /// What it says of all columns; `nil` where it would say nothing sensible.
    let ofAll: ValueSpelling?

    /// Takes an option's value.
    ///
    /// - Parameters:
    ///   - kind: What is spelled.
    ///   - text: `COLUMN=TEXT`, or `TEXT`.
    /// - Throws: ``InterchangeError/Code/unsupported`` when neither the text nor what stands behind its first equals sign can be meant, with the reason.
    public init(_ kind: Kind, _ text: String) throws(InterchangeError) {
        self.kind = kind
        self.text = text
        let sign = text.firstIndex(of: "=")
        let name = sign.map { String(text[..<$0]) } ?? ""
        var reason: InterchangeError?
        var spellings: [ValueSpelling?] = [nil, nil]
        // What is wrong with a column's is said first: who writes a name before the sign means one.
        let texts = [sign.map { String(text[text.index(after: $0)...]) }, text]
        for (index, candidate) in texts.enumerated() {
            guard let candidate, index == 1 || !name.isEmpty else { continue }
            do throws(InterchangeError) {
                spellings[index] = try Self.spelling(kind, candidate)
            } catch {
                reason = reason ?? error
            }
        }
        (ofColumn, ofAll) = (spellings[0], spellings[1])
        column = name.isEmpty ? nil : name
        if ofColumn == nil, ofAll == nil, let reason { throw reason }
    }

    private static func spelling(_ kind: Kind, _ text: String) throws(InterchangeError) -> ValueSpelling {
        switch kind {
        case .dateFormat:
            let pattern = try DatePattern(text)
            return pattern.hasDay ? ValueSpelling(dateFormat: pattern) : ValueSpelling(timeFormat: pattern)
        case .decimal: return ValueSpelling(decimal: try NumberSign(text))
        case .group: return ValueSpelling(group: try NumberSign(text))
        case .trueWord: return ValueSpelling(trueWords: [try word(text)])
        case .falseWord: return ValueSpelling(falseWords: [try word(text)])
        }
    }

    private static func word(_ text: String) throws(InterchangeError) -> String {
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw InterchangeError(.unsupported, message: "\(PrintableText.quoted(text)) is no word")
        }
        return text
    }
}
