/// A count of the texts of a table that mean null: the empty text, and the words that the user specified.
///
/// If all null cells of a table contain the same word, the model file states that word, so that an export writes it
/// again.
struct MissingTexts {
    /// The words that mean null; if there are none, no texts are counted.
    private let words: Set<String>
    private var counts: [String: Int] = [:]
    /// A Boolean value that indicates whether one of the words also occurs in quotes, where it is a value.
    private(set) var isValue = false

    /// A Boolean value that indicates whether the user specified words that mean null.
    let isWatched: Bool

    init(_ words: [String]) {
        self.words = Set(words)
        isWatched = !words.isEmpty
    }

    /// Counts the text of a null cell.
    mutating func note(_ text: String) { counts[text, default: 0] += 1 }

    /// Notes a quoted cell, in which a word for null is a value.
    mutating func noteQuoted(_ text: String) { if words.contains(text) { isValue = true } }

    /// The word for null if all null cells contain the same word; otherwise `nil`.
    var only: String? { counts.count == 1 ? counts.keys.first { !$0.isEmpty } : nil }

    /// The texts that mean null, with their counts, for a report; `nil` if only the empty text occurs.
    var text: String? {
        guard counts.keys.contains(where: { !$0.isEmpty }) else { return nil }
        return counts.sorted { $0.key < $1.key }.map { "\($0.key.isEmpty ? "nothing" : $0.key) (\($0.value) times)" }
            .joined(separator: ", ")
    }
}
