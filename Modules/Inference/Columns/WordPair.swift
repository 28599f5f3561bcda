import StrataCore

/// The check whether the texts of a column are two words for true and false.
struct WordPair: Sendable {
    /// The words for true and for false that are common in files; 0 and 1 are numbers.
    private static let pairs: [(isTrue: String, isFalse: String)] = [
        ("TRUE", "FALSE"), ("True", "False"), ("yes", "no"), ("Yes", "No"), ("YES", "NO"), ("y", "n"), ("Y", "N"),
        ("t", "f"), ("T", "F"), ("ja", "nein"), ("Ja", "Nein"), ("oui", "non"), ("Oui", "Non"), ("on", "off"),
    ]
    private static let longest = 5

    /// The words that the user specified; `nil` if none.
    private let said: (isTrue: [String], isFalse: [String])?
    private var pair: Int?
    private var trueWords: [String] = []
    private var falseWords: [String] = []

    /// Creates a check.
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

    /// The words of the column, in the order in which they first occurred.
    ///
    /// The value is `nil` if one of the two words does not occur, unless the user specified the words.
    var words: (isTrue: [String], isFalse: [String])? {
        if let said {
            return (trueWords.isEmpty ? said.isTrue : trueWords, falseWords.isEmpty ? said.isFalse : falseWords)
        }
        return trueWords.isEmpty || falseWords.isEmpty ? nil : (trueWords, falseWords)
    }

    /// Counts a text; returns `false` if it is not a word, or a word of another pair.
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
