import StrataCore

/// The words of an attribute's name, as the table of ideas has them.
struct AttributeName {
    /// The name whole, behind the name of its entity and by itself, then from each of its words on: `customeremailaddress`, `emailaddress`, `address`;
    /// then the same without a unit at its end, as of `price (EUR)`.
    let candidates: [String]
    /// The name whole.
    let whole: String

    /// The words of a name.
    ///
    /// - Parameters:
    ///   - name: The name, as `eMailAddress`, `e-mail address` or `E_MAIL`.
    ///   - entity: The name of its entity, in the singular or the plural.
    init(_ name: String, of entity: String) {
        let words = Self.words(name)
        whole = words.joined()
        let owner = Self.singular(Self.words(entity).joined())
        var candidates = [owner + whole] + words.indices.map { words[$0...].joined() }
        if let unit = words.last, Self.units.contains(unit), words.count > 1 {
            let rest = words.dropLast()
            candidates += [owner + rest.joined()] + rest.indices.map { rest[$0...].joined() }
        }
        self.candidates = candidates
    }

    /// What somebody would write there; none for most names.
    var ideas: [FixtureGenerator] {
        for candidate in candidates {
            if let idea = Self.table[candidate] { return idea }
        }
        return []
    }

    /// What numbers are numbers of.
    private static let units: Set<String> = [
        "chf", "cm", "eur", "g", "gbp", "h", "kg", "km", "km2", "l", "lb", "lbs", "m", "m2", "min", "mm", "ms", "pct",
        "percent", "s",
        "sec", "usd",
    ]

    private static let table: [String: [FixtureGenerator]] = {
        var table: [String: [FixtureGenerator]] = [:]
        for idea in AttributeIdea.all { for name in idea.names { table[name] = table[name] ?? idea.generators } }
        return table
    }()

    private static func singular(_ word: String) -> String {
        if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
        return word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word
    }

    /// The words of a name in small letters: beginning with a capital behind a small letter, or behind what is neither letter nor digit.
    private static func words(_ name: String) -> [String] {
        var words: [String] = [""]
        var isBehindSmall = false
        for scalar in name.unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9", "\u{80}"...:
                words[words.count - 1].unicodeScalars.append(scalar)
                isBehindSmall = true
            case "A"..."Z":
                if isBehindSmall { words.append("") }
                words[words.count - 1].unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) | 0x20))
                isBehindSmall = false
            default:
                words.append("")
                isBehindSmall = false
            }
        }
        let filled = words.filter { !$0.isEmpty }
        // "eMail" and "e-mail" are one word.
        guard let first = filled.first, first.utf8.count == 1, filled.count > 1 else { return filled }
        return [first + filled[1]] + filled.dropFirst(2)
    }
}
