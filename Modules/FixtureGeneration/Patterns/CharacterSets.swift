/// The characters of generated texts for parts of a regular expression that allow several characters.
enum CharacterSets {
    static let lowercase = scalars("a"..."z")
    static let uppercase = scalars("A"..."Z")
    static let digits = scalars("0"..."9")
    static let letters = lowercase + uppercase
    static let punctuation: [Unicode.Scalar] = [
        "-", "_", ".", ",", ";", ":", "!", "?", "+", "*", "/", "#", "%", "&", "=", "@", "~",
    ]

    /// The characters for a class that allows any character.
    static let usual = lowercase + digits

    /// The candidates for a negated class; the first set with a remaining character is used.
    static let universes: [[Unicode.Scalar]] = [
        usual, uppercase, punctuation, scalars(" "..."~"), scalars("\u{C0}"..."\u{24F}"), ["\n", "\t"],
    ]

    /// Characters that are independent of adjacent characters; a range that contains any uses only these characters.
    private static let plain: [ClosedRange<UInt32>] = [
        0x20...0x7E, 0xA1...0xAC, 0xAE...0x24F, 0x386...0x3CE, 0x410...0x44F, 0x5D0...0x5EA, 0x3041...0x3096,
        0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
    ]

    /// The maximum number of characters used of one range.
    private static let most = 512

    /// Returns all characters of a range.
    static func scalars(_ range: ClosedRange<Unicode.Scalar>) -> [Unicode.Scalar] {
        (range.lowerBound.value...range.upperBound.value).compactMap(Unicode.Scalar.init)
    }

    /// Returns the characters of a range that are used in texts.
    static func used(of range: ClosedRange<Unicode.Scalar>) -> [Unicode.Scalar] {
        let values = range.lowerBound.value...range.upperBound.value
        let parts = plain.filter { $0.overlaps(values) }.map { $0.clamped(to: values) }
        let chosen = parts.isEmpty ? [values] : parts
        // Texts cannot contain U+0000.
        return Array(chosen.joined().lazy.filter { $0 > 0 }.compactMap(Unicode.Scalar.init).prefix(most))
    }

    /// Returns characters that are not among the excluded characters, or an empty array if there are none.
    static func others(than excluded: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let excluded = Set(excluded)
        for universe in universes {
            let left = universe.filter { !excluded.contains($0) }
            if !left.isEmpty { return left }
        }
        return []
    }
}
