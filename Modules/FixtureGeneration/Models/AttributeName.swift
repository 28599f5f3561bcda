import StrataCore

/// The words of an attribute's name, in the form in which they are looked up in the ``GeneratorHint`` table.
struct AttributeName {
    /// The names to look up in the table, the most specific name first.
    ///
    /// They are the entity name followed by the whole name, the whole name, and its endings: `customeremailaddress`,
    /// `emailaddress`, `address`. If the name ends with a unit, as `price (EUR)` does, the same names without the unit
    /// follow.
    let candidates: [String]
    /// The whole name in the form of the table.
    let whole: String

    /// Splits a name into words.
    ///
    /// - Parameters:
    ///   - name: The name, such as `eMailAddress`, `e-mail address` or `E_MAIL`.
    ///   - entity: The name of the entity, in the singular or plural.
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

    /// The generators of realistic values for this name; empty for most names.
    var ideas: [FixtureGenerator] {
        for candidate in candidates {
            if let idea = Self.table[candidate] { return idea }
        }
        return []
    }

    /// The units that can be at the end of a number attribute's name.
    private static let units: Set<String> = [
        "chf", "cm", "eur", "g", "gbp", "h", "kg", "km", "km2", "l", "lb", "lbs", "m", "m2", "min", "mm", "ms", "pct",
        "percent", "s",
        "sec", "usd",
    ]

    private static let table: [String: [FixtureGenerator]] = {
        var table: [String: [FixtureGenerator]] = [:]
        for idea in GeneratorHint.all { for name in idea.names { table[name] = table[name] ?? idea.generators } }
        return table
    }()

    private static func singular(_ word: String) -> String {
        if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
        return word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word
    }

    /// Returns the words of a name in lowercase.
    ///
    /// A word begins at a capital letter that follows a small letter, or after a separator.
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
        // "eMail" and "e-mail" are a single word.
        guard let first = filled.first, first.utf8.count == 1, filled.count > 1 else { return filled }
        return [first + filled[1]] + filled.dropFirst(2)
    }
}
