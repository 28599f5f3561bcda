/// A reader of a character class, such as `[a-z0-9]`, in a regular expression.
struct CharacterClassReader {
    private let pattern: [Unicode.Scalar]
    private(set) var index: Int

    init(_ pattern: [Unicode.Scalar], at index: Int) {
        self.pattern = pattern
        self.index = index
    }

    private var next: Unicode.Scalar? { index < pattern.count ? pattern[index] : nil }

    /// Reads a character class; the reader's index is after the opening bracket.
    ///
    /// - Returns: The distinct characters of the class, in the order of the pattern.
    mutating func read() throws(InvalidPattern) -> [Unicode.Scalar] {
        let isNegated = next == "^"
        if isNegated { index += 1 }
        var characters: [Unicode.Scalar] = []
        var isFirst = true
        while let character = next, character != "]" || isFirst {
            isFirst = false
            let following = index + 1 < pattern.count ? pattern[index + 1] : nil
            if character == following, ["&", "-", "~"].contains(character) {
                throw InvalidPattern("texts cannot be generated from \(character)\(character) in a class")
            }
            if character == "[" {
                guard following != ":" else {
                    throw InvalidPattern("texts cannot be generated from [: in a class; write \\p{…}")
                }
                index += 1
                characters += try read()
                continue
            }
            characters += try members()
        }
        guard next == "]" else { throw InvalidPattern("a character class has no closing ]") }
        index += 1
        let set = isNegated ? CharacterSets.others(than: characters) : Self.distinct(characters)
        guard !set.isEmpty else {
            throw InvalidPattern("a character class contains no character that a text can contain")
        }
        return set
    }

    /// Reads one member of the class: a character, an escape or a range.
    private mutating func members() throws(InvalidPattern) -> [Unicode.Scalar] {
        let first = try member()
        guard next == "-", index + 1 < pattern.count, pattern[index + 1] != "]", first.count == 1 else { return first }
        index += 1
        let last = try member()
        guard last.count == 1, first[0].value <= last[0].value else {
            throw InvalidPattern("a character class has an invalid range")
        }
        return CharacterSets.used(of: first[0]...last[0])
    }

    private mutating func member() throws(InvalidPattern) -> [Unicode.Scalar] {
        guard let character = next else { throw InvalidPattern("a character class has no closing ]") }
        index += 1
        guard character == "\\" else { return [character] }
        // In a class, \b means backspace, which is not supported.
        var escapes = EscapeReader(pattern, at: index)
        let escape = try escapes.read()
        index = escapes.index
        switch escape {
        case .characters(let set): return set
        case .nothing: throw InvalidPattern("a character class contains a condition")
        }
    }

    private static func distinct(_ characters: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var seen: Set<Unicode.Scalar> = []
        return characters.filter { $0.value > 0 && seen.insert($0).inserted }
    }
}
