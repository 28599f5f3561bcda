/// The number of terminal columns that a text occupies.
///
/// Fonts and terminals differ in details. The rules here apply to most of them: marks and joiners have no width, East
/// Asian letters and emoji have two columns, and all other characters have one column.
enum DisplayWidth {
    /// Returns the width of a text without control characters.
    static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// Returns the width of a grapheme cluster: 0, 1 or 2.
    static func of(_ character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            // The scalar requests the color form of the preceding character.
            if scalar.value == 0xFE0F, width == 1 { return 2 }
            // A spacing vowel sign follows its letter, as in Devanagari, and has a width of its own.
            let isSpacingMark = scalar.properties.generalCategory == .spacingMark
            width = isSpacingMark ? min(2, width + 1) : max(width, of(scalar))
        }
        return width
    }

    /// Returns the beginning of a text that fits a width, with an ellipsis if the text is truncated.
    static func cut(_ text: String, to most: Int) -> String {
        guard of(text) > most else { return text }
        guard most > 0 else { return "" }
        var shown = ""
        var width = 0
        for character in text {
            let next = of(character)
            if width + next > most - 1 { break }
            shown.append(character)
            width += next
        }
        return shown + "…"
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value == 0xAD ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(scalar) ? 2 : 1
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x1100 else { return false }
        return scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) }
    }

    /// The blocks that are wide or fullwidth in Unicode's EastAsianWidth, without emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // the first letters of Hangul syllables
        0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,  // radicals, kana, ideographs
        0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,  // Yi, Hangul
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,  // compatibility forms
        0xFF01...0xFF60, 0xFFE0...0xFFE6,  // fullwidth forms
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,  // Tangut, Khitan, kana
        0x1F1E6...0x1F1FF,  // the letters of flags
        0x20000...0x2FFFD, 0x30000...0x3FFFD,  // more ideographs
    ]
}
