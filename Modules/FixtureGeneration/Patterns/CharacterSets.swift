/// The sets of characters from which texts are generated for parts of a regular expression that allow several
/// characters.
enum CharacterSets {
    static let lowercase = scalars("a"..."z")
    static let uppercase = scalars("A"..."Z")
    static let digits = scalars("0"..."9")
    static let letters = lowercase + uppercase
    static let punctuation: [Unicode.Scalar] = [
        "-", "_", ".", ",", ";", ":", "!", "?", "+", "*", "/", "#", "%", "&", "=", "@", "~",
    ]

    /// The characters that are generated for a class that allows any character.
    static let usual = lowercase + digits

    /// The sets from which characters are generated for a negated class; the first set with an allowed character is
    /// used.
    static let universes: [[Unicode.Scalar]] = [
        usual, uppercase, punctuation, scalars(" "..."~"), scalars("\u{C0}"..."\u{24F}"), ["\n", "\t"],
    ]

    /// Characters that are not combined with adjacent characters; only these characters of a range are used, if it has
    /// any.
    private static let plain: [ClosedRange<UInt32>] = [
        0x20...0x7E, 0xA1...0xAC, 0xAE...0x24F, 0x386...0x3CE, 0x410...0x44F, 0x5D0...0x5EA, 0x3041...0x3096,
        0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
    ]

    /// The maximum number of characters of one range that occur in generated texts.
    private static let most = 512

    /// Returns all characters of a range of Unicode scalars.
    static func scalars(_ range: ClosedRange<Unicode.Scalar>) -> [Unicode.Scalar] {
        (range.lowerBound.value...range.upperBound.value).compactMap(Unicode.Scalar.init)
    }

    /// Returns the characters of a range that occur in generated texts.
    static func used(of range: ClosedRange<Unicode.Scalar>) -> [Unicode.Scalar] {
        let values = range.lowerBound.value...range.upperBound.value
        let parts = plain.filter { $0.overlaps(values) }.map { $0.clamped(to: values) }
        let chosen = parts.isEmpty ? [values] : parts
        // Texts cannot contain U+0000.
        return Array(chosen.joined().lazy.filter { $0 > 0 }.compactMap(Unicode.Scalar.init).prefix(most))
    }

    /// Returns characters that are not excluded, or an empty array if no set contains such a character.
    static func others(than excluded: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let excluded = Set(excluded)
        for universe in universes {
            let left = universe.filter { !excluded.contains($0) }
            if !left.isEmpty { return left }
        }
        return []
    }
}
