/// What stands in a table where there is no value: nothing, or one of the words that were said to mean it.
struct MissingTexts {
    /// Words that were said to mean it; where there are none, nothing is noted.
    private let words: Set<String>
    private var counts: [String: Int] = [:]
    /// Whether a word stands in quotes as well, and is a value there.
    private(set) var isValue = false

    /// Whether there are such words.
    let isWatched: Bool

    init(_ words: [String]) {
        self.words = Set(words)
        isWatched = !words.isEmpty
    }

    mutating func note(_ text: String) { counts[text, default: 0] += 1 }

    mutating func noteQuoted(_ text: String) { if words.contains(text) { isValue = true } }

    /// The one word that stands wherever there is no value; `nil` where there is none, or also something else.
    var only: String? { counts.count == 1 ? counts.keys.first { !$0.isEmpty } : nil }

    /// What they are, and how often, where a word is among them.
    var text: String? {
        guard counts.keys.contains(where: { !$0.isEmpty }) else { return nil }
        return counts.sorted { $0.key < $1.key }.map { "\($0.key.isEmpty ? "nothing" : $0.key) (\($0.value) times)" }
            .joined(separator: ", ")
    }
}
