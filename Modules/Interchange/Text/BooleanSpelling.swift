import StrataCore

/// The words that mean true and false in a column.
///
/// A column has few words, so they are compared one after the other.
struct BooleanSpelling: Sendable, Hashable {
    /// The words for true, compared byte by byte; empty for the default words.
    var trueWords: [String] = []
    var falseWords: [String] = []

    /// Reads one of the words; if there are no words for true or for false, the default words for it are read.
    ///
    /// - Throws: ``InvalidText`` with the allowed words.
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

    /// Returns the Boolean value of a default word; `nil` for any other word.
    ///
    /// The error of the parser is not used, because it names only the default words.
    private static func usual(_ bytes: Span<UInt8>) -> Bool? {
        do throws(InvalidText) { return try BooleanText.parse(bytes) } catch { return nil }
    }
}
