import StrataCore

/// Words for true and false.
struct BooleanSpelling: Sendable, Hashable {
    /// The words, byte for byte; empty for the usual ones.
    var trueWords: [String] = []
    var falseWords: [String] = []

    /// Reads one of the words; of a side that has none of its own one of the usual ones.
    ///
    /// - Throws: ``InvalidText`` with the words.
    func parse(_ bytes: Span<UInt8>) throws(InvalidText) -> Bool {
        func isAmong(_ words: [String]) -> Bool {
            words.contains { word in
                word.utf8.count == bytes.count && zip(word.utf8, bytes.indices).allSatisfy { $0 == bytes[$1] }
            }
        }
        if isAmong(trueWords) { return true }
        if isAmong(falseWords) { return false }
        switch Self.usual(bytes) {
        case true where trueWords.isEmpty: return true
        case false where falseWords.isEmpty: return false
        default:
            let sides = [
                trueWords.isEmpty ? ["true, yes, 1"] : trueWords, falseWords.isEmpty ? ["false, no, 0"] : falseWords,
            ]
            let lists = sides.map { $0.map(PrintableText.escaped).joined(separator: ", ") }
            throw InvalidText("not true (\(lists[0])) or false (\(lists[1]))")
        }
    }

    /// What one of the usual words means; `nil` for another one, as an error would not name these.
    private static func usual(_ bytes: Span<UInt8>) -> Bool? {
        do throws(InvalidText) { return try BooleanText.parse(bytes) } catch { return nil }
    }
}
