/// A reader of the escapes of a regular expression, which follow a backslash.
struct EscapeReader {
    /// The meaning of an escape in a regular expression.
    enum Escape {
        /// A zero-width condition at the beginning or end of the text, such as `\A`.
        case nothing
        case characters([Unicode.Scalar])
    }

    private let pattern: [Unicode.Scalar]
    private(set) var index: Int

    init(_ pattern: [Unicode.Scalar], at index: Int) {
        self.pattern = pattern
        self.index = index
    }

    /// The generated characters for each class escape, by its letter: `d` for `\d`.
    private static let classes: [Unicode.Scalar: [Unicode.Scalar]] = [
        "d": CharacterSets.digits, "D": CharacterSets.lowercase, "w": CharacterSets.usual, "W": ["-", " ", "."],
        "s": [" "], "S": CharacterSets.usual, "h": [" "], "H": CharacterSets.usual, "n": ["\n"], "r": ["\r"],
        "t": ["\t"], "f": ["\u{C}"], "v": ["\n"], "e": ["\u{1B}"], "a": ["\u{7}"], "N": CharacterSets.usual,
    ]

    /// The generated characters for each Unicode property, by its name: `Lu` for `\p{Lu}`.
    private static let properties: [String: [Unicode.Scalar]] = [
        "L": CharacterSets.letters, "Letter": CharacterSets.letters, "Alphabetic": CharacterSets.letters,
        "alpha": CharacterSets.letters, "Lu": CharacterSets.uppercase, "Uppercase": CharacterSets.uppercase,
        "Ll": CharacterSets.lowercase, "Lowercase": CharacterSets.lowercase, "N": CharacterSets.digits,
        "Nd": CharacterSets.digits, "P": ["-", ".", ",", ";", ":", "!", "?"], "Z": [" "], "Zs": [" "],
        "Latin": CharacterSets.letters, "ASCII": CharacterSets.usual, "alnum": CharacterSets.usual,
    ]

    /// Reads an escape; the reader's index is after the backslash.
    mutating func read() throws(InvalidPattern) -> Escape {
        guard index < pattern.count else { throw InvalidPattern("nothing follows a backslash") }
        let character = pattern[index]
        index += 1
        if let set = Self.classes[character] { return .characters(set) }
        switch character {
        case "A", "z", "Z": return .nothing
        case "p", "P":
            let name = try braced()
            guard let set = Self.properties[name] else {
                throw InvalidPattern("texts cannot be generated from \\\(character){\(name)}")
            }
            return .characters(character == "p" ? set : CharacterSets.others(than: set))
        case "u", "x": return .characters([try code(character)])
        case "a"..."z", "A"..."Z", "0"..."9": throw InvalidPattern("texts cannot be generated from \\\(character)")
        default: return .characters([character])
        }
    }

    private mutating func braced() throws(InvalidPattern) -> String {
        guard index < pattern.count, pattern[index] == "{", let end = pattern[index...].firstIndex(of: "}") else {
            throw InvalidPattern("a name in braces must follow \\p")
        }
        var name = ""
        name.unicodeScalars.append(contentsOf: pattern[(index + 1)..<end])
        index = end + 1
        return name
    }

    private mutating func code(_ kind: Unicode.Scalar) throws(InvalidPattern) -> Unicode.Scalar {
        var digits = ""
        if index < pattern.count, pattern[index] == "{" {
            digits = try braced()
        } else {
            let count = kind == "u" ? 4 : 2
            digits.unicodeScalars.append(contentsOf: pattern[index...].prefix(count))
            index = min(index + count, pattern.count)
        }
        guard let value = UInt32(digits, radix: 16), value > 0, let scalar = Unicode.Scalar(value) else {
            throw InvalidPattern("\\\(kind)\(digits) is not a character that a text can contain")
        }
        return scalar
    }
}
