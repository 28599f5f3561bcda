import StrataTestSupport

/// Texts of special characters that a reader or writer may mishandle.
enum HostileText {
    private static let parts = [
        "\"", "\"\"", ",", ";", "\t", "\r", "\n", "\r\n", " ", "a", "é", "😀", "日本", "\\", "/", "{", "}", "[", "]", ":",
        "null",
        "\u{1}", "\u{1F}", "\u{7F}", "\u{2028}", "\u{FEFF}", "\u{FFFF}", "\u{10FFFF}", "e\u{301}", "'", "0", "-",
    ]

    /// Returns a text of up to six parts, or `nil` for null.
    static func random(using generator: inout SeededGenerator) -> String? {
        let count = Int.random(in: -1...6, using: &generator)
        guard count >= 0 else { return nil }
        return (0..<count).compactMap { _ in parts.randomElement(using: &generator) }.joined()
    }
}
