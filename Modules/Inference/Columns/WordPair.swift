import StrataCore

/// Whether the texts of a column are two words for true and false.
struct WordPair: Sendable {
    /// Words for true and for false, as they are written in files; 0 and 1 are numbers.
    private static let pairs: [(isTrue: String, isFalse: String)] = [
        ("TRUE", "FALSE"), ("True", "False"), ("yes", "no"), ("Yes", "No"), ("YES", "NO"), ("y", "n"), ("Y", "N"),
        ("t", "f"), ("T", "F"), ("ja", "nein"), ("Ja", "Nein"), ("oui", "non"), ("Oui", "Non"), ("on", "off"),
    ]
    private static let longest = 5

    private var pair: Int?
    private var hasTrue = false
    private var hasFalse = false

    /// The words, where both were there.
    var words: (isTrue: String, isFalse: String)? { hasTrue && hasFalse ? pair.map { Self.pairs[$0] } : nil }

    /// Notes a text; false where it is no word, or another pair's.
    mutating func note(_ text: Span<UInt8>) -> Bool {
        guard text.count <= Self.longest else { return false }
        let word = String(decoding: text)
        if let pair {
            let known = Self.pairs[pair]
            if word == known.isTrue {
                hasTrue = true
            } else if word == known.isFalse {
                hasFalse = true
            } else {
                return false
            }
            return true
        }
        guard let found = Self.pairs.firstIndex(where: { $0.isTrue == word || $0.isFalse == word }) else {
            return false
        }
        pair = found
        return note(text)
    }
}
