/// A reader of regular expressions in Swift's syntax, limited to the features for which texts can be generated.
///
/// The reader accepts less than Swift. Unsupported elements are errors, because the rule could reject texts that ignore
/// them. Options that only affect matching, such as ignoring case, are skipped.
struct RegularExpressionReader {
    private let pattern: [Unicode.Scalar]
    private var index = 0
    private var expression = RegularExpression()

    /// Reads a complete pattern.
    ///
    /// - Throws: ``InvalidPattern`` with the part of the pattern that is not supported.
    static func read(_ pattern: String) throws(InvalidPattern) -> RegularExpression {
        var reader = RegularExpressionReader(pattern: Array(pattern.unicodeScalars))
        let root = try reader.choice(depth: 0)
        guard reader.index == reader.pattern.count else {
            throw InvalidPattern("a closing bracket has no opening bracket")
        }
        reader.expression.root = root
        return reader.expression
    }

    private init(pattern: [Unicode.Scalar]) { self.pattern = pattern }

    private var next: Unicode.Scalar? { index < pattern.count ? pattern[index] : nil }

    private mutating func take(_ text: String) -> Bool {
        guard pattern[index...].starts(with: text.unicodeScalars) else { return false }
        index += text.unicodeScalars.count
        return true
    }

    /// The maximum depth of nested groups, which exceeds that of any practical rule and does not exhaust the call
    /// stack.
    private static let deepest = 64

    private mutating func choice(depth: Int) throws(InvalidPattern) -> Int {
        guard depth < Self.deepest else {
            throw InvalidPattern("groups are nested more than \(Self.deepest) levels deep")
        }
        var parts = [try sequence(depth)]
        while take("|") { parts.append(try sequence(depth)) }
        guard parts.count > 1 else { return parts[0] }
        // Alternatives of single characters are merged into one set, so that no two of its texts are equal.
        var set: [Unicode.Scalar] = []
        for part in parts {
            guard case .characters(let characters) = expression.elements[part] else {
                return expression.add(.choice(parts))
            }
            set += characters.filter { !set.contains($0) }
        }
        return expression.add(.characters(set))
    }

    private mutating func sequence(_ depth: Int) throws(InvalidPattern) -> Int {
        var parts: [Int] = []
        while let character = next, character != "|", character != ")" {
            guard let part = try atom(depth) else { continue }
            parts.append(try quantified(part))
        }
        return parts.count == 1 ? parts[0] : expression.add(.sequence(parts))
    }

    /// Reads one part without its quantifier and returns its element, or `nil` for a zero-width part.
    private mutating func atom(_ depth: Int) throws(InvalidPattern) -> Int? {
        guard let character = next else { return nil }
        index += 1
        switch character {
        case "^", "$": return nil
        case ".": return expression.add(.characters(CharacterSets.usual))
        case "(": return try group(depth)
        case "[":
            var classes = CharacterClassReader(pattern, at: index)
            let set = try classes.read()
            index = classes.index
            return expression.add(.characters(set))
        case "\\":
            var escapes = EscapeReader(pattern, at: index)
            let escape = try escapes.read()
            index = escapes.index
            switch escape {
            case .nothing: return nil
            case .characters(let set): return expression.add(.characters(set))
            }
        case "*", "+", "?": throw InvalidPattern("\(character) has nothing to repeat")
        default: return expression.add(.characters([character]))
        }
    }

    private mutating func group(_ depth: Int) throws(InvalidPattern) -> Int? {
        for (opening, what) in [
            ("?=", "what must follow"), ("?!", "what must not follow"), ("?<=", "text that must precede"),
            ("?<!", "text that must not precede"),
        ] where take(opening) {
            throw InvalidPattern("(\(opening) states \(what), which is not supported for generating texts")
        }
        if take("?#") {
            while let character = next, character != ")" {
                index += 1
            }
            _ = take(")")
            return nil
        }
        if take("?i)") { return nil }
        if take("?") {
            // The name or kind of the group does not affect its texts; only its end is relevant.
            if take("<") || take("P<") {
                while let character = next, character != ">" {
                    index += 1
                }
                _ = take(">")
            } else if !(take(":") || take(">") || take("i:")) {
                throw InvalidPattern(
                    "texts cannot be generated from a group that begins with (?\(next.map { "\($0)" } ?? "")")
            }
        }
        let content = try choice(depth: depth + 1)
        guard take(")") else { throw InvalidPattern("a group has no closing )") }
        return content
    }

    private mutating func quantified(_ part: Int) throws(InvalidPattern) -> Int {
        var part = part
        while let (least, most) = try quantifier() {
            if let most, most < least { throw InvalidPattern("{\(least),\(most)} is not a valid range") }
            part = expression.add(.repetition(part, least: least, most: most))
        }
        return part
    }

    private mutating func quantifier() throws(InvalidPattern) -> (least: Int, most: Int?)? {
        let range: (Int, Int?)
        if take("*") {
            range = (0, nil)
        } else if take("+") {
            range = (1, nil)
        } else if take("?") {
            range = (0, 1)
        } else if take("{") {
            let least = number()
            if take(",") {
                range = (least ?? 0, number())
            } else {
                guard let least else { throw InvalidPattern("a number must follow {") }
                range = (least, least)
            }
            guard take("}") else { throw InvalidPattern("{ has no closing }") }
        } else {
            return nil
        }
        // Greedy, reluctant and possessive quantifiers are equivalent, because the pattern must match the whole text.
        if !take("?") { _ = take("+") }
        return range
    }

    private mutating func number() -> Int? {
        var text = ""
        while let digit = next, ("0"..."9").contains(digit) {
            text.unicodeScalars.append(digit)
            index += 1
        }
        // A larger number exceeds the length of any text.
        return text.isEmpty ? nil : min(Int(text) ?? .max, RegularExpression.longest + 1)
    }
}
