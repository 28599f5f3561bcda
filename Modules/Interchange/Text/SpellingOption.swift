/// A spelling from a command line: `COLUMN=TEXT` for one column, or `TEXT` for all.
///
/// A date format may contain an equals sign too, so only the file resolves the ambiguity. If the file has a column with
/// the name before the first equals sign, the option applies to that column. Case, `_`, `-` and spaces are ignored in
/// this comparison. Otherwise the whole text is the spelling.
///
/// For example, `hired=%d.%m.%Y` is a date format for the column `hired`, and `%d.%m.%Y` is one for all columns.
/// Programs without a command line use ``ReadingOptions/spelling`` and ``ReadingOptions/columnSpellings`` instead.
///
/// ## Topics
///
/// ### Creating an option
///
/// - ``init(_:_:)``
/// - ``Kind``
///
/// ### Inspecting an option
///
/// - ``kind``
/// - ``text``
/// - ``column``
/// - ``problem(ofAll:)``
public struct SpellingOption: Sendable, Hashable {
    /// The kinds of spellings.
    ///
    /// The raw values are the names of the command line's options without the dashes.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Dates, days and times of day, with a ``DatePattern``.
        case dateFormat = "date-format"
        /// The separator before a fraction, a ``NumberSign``.
        case decimal
        /// The separator between groups of three digits, a ``NumberSign``.
        case group
        /// A word for true.
        case trueWord = "true"
        /// A word for false.
        case falseWord = "false"

        /// The name of the kind, for messages: `date format`.
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

    /// The kind of the spelling.
    public let kind: Kind

    /// The option as the user wrote it.
    public let text: String

    /// The text before the first equals sign, or `nil`; it is the name of a column if the file has such a column.
    ///
    /// A program cannot determine without the file whether it is a column.
    public let column: String?

    /// The spelling of one column, if the option names the column; `nil` if the text after the equals sign is invalid.
    let ofColumn: ValueSpelling?

    /// The spelling of all columns, if the option names no column; `nil` if the whole text is invalid.
    let ofAll: ValueSpelling?

    /// Creates an option from its value.
    ///
    /// - Parameters:
    ///   - kind: The kind of the spelling.
    ///   - text: `COLUMN=TEXT`, or `TEXT`.
    /// - Throws: ``InterchangeError/Code/unsupported`` with the reason if neither the text nor the text after its first
    ///   equals sign is valid.
    public init(_ kind: Kind, _ text: String) throws(InterchangeError) {
        self.kind = kind
        self.text = text
        let sign = text.firstIndex(of: "=")
        let name = sign.map { String(text[..<$0]) } ?? ""
        var reason: InterchangeError?
        var spellings: [ValueSpelling?] = [nil, nil]
        // The error of the column's spelling takes precedence: a name before the sign is probably a column.
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
            throw InterchangeError(
                .unsupported,
                message: "\(PrintableText.quoted(text)) is not allowed; "
                    + "the word must have at least one character and no NUL character")
        }
        return text
    }
}
