import StrataCore

/// A check whether the texts of a column are two words for true and false.
///
/// Both words must be of the same pair, and both must occur, unless the user specified the words. A column with only
/// `yes` remains a text, because later cells may contain any other word.
struct WordPair: Sendable {
    /// The pairs of words for true and false that are common in files; `1` and `0` are integers instead.
    private static let pairs: [(isTrue: String, isFalse: String)] = [
        ("TRUE", "FALSE"), ("True", "False"), ("yes", "no"), ("Yes", "No"), ("YES", "NO"), ("y", "n"), ("Y", "N"),
        ("t", "f"), ("T", "F"), ("ja", "nein"), ("Ja", "Nein"), ("oui", "non"), ("Oui", "Non"), ("on", "off"),
    ]
    /// The length of the longest common word, in bytes.
    private static let longest = 5

    /// The words that the user specified for the column; `nil` if there are none.
    private let said: (isTrue: [String], isFalse: [String])?
    /// The index of the pair to which the first text belongs; `nil` before the first text.
    private var pair: Int?
    private var trueWords: [String] = []
    private var falseWords: [String] = []

    /// Creates a check for the words of a column.
    ///
    /// - Parameters:
    ///   - trueWords: The words for true that the user specified.
    ///   - falseWords: The words for false that the user specified.
    init(trueWords: [String], falseWords: [String]) {
        guard !trueWords.isEmpty || !falseWords.isEmpty else {
            said = nil
            return
        }
        said = (
            trueWords.isEmpty ? ["true", "yes", "1"] : trueWords,
            falseWords.isEmpty ? ["false", "no", "0"] : falseWords
        )
    }

    /// The words for true and false, in the order in which they first occurred in the column.
    ///
    /// If the user specified no words and one word of the pair does not occur, the value is `nil`.
    var words: (isTrue: [String], isFalse: [String])? {
        if let said {
            return (trueWords.isEmpty ? said.isTrue : trueWords, falseWords.isEmpty ? said.isFalse : falseWords)
        }
        return trueWords.isEmpty || falseWords.isEmpty ? nil : (trueWords, falseWords)
    }

    /// Counts a text; returns `false` if it is not a word for true or false, or is a word of another pair than earlier
    /// texts.
    mutating func note(_ text: Span<UInt8>) -> Bool {
        if let said { return note(String(decoding: text), said) }
        guard text.count <= Self.longest else { return false }
        let word = String(decoding: text)
        if pair == nil { pair = Self.pairs.firstIndex { $0.isTrue == word || $0.isFalse == word } }
        guard let pair else { return false }
        return note(word, ([Self.pairs[pair].isTrue], [Self.pairs[pair].isFalse]))
    }

    private mutating func note(_ word: String, _ known: (isTrue: [String], isFalse: [String])) -> Bool {
        if known.isTrue.contains(word) {
            if !trueWords.contains(word) { trueWords.append(word) }
        } else if known.isFalse.contains(word) {
            if !falseWords.contains(word) { falseWords.append(word) }
        } else {
            return false
        }
        return true
    }
}
