import StrataInterchange

/// The names of the datasets that are read together, and rules that find keys and references by the names of columns.
///
/// Names are compared by their words, regardless of case and separators, and the last word also in the singular.
/// Therefore `country_code`, `CountryCode` and `countries_code` all name the dataset `countries`. A name may have a
/// prefix: `ship_country` names it, too.
///
/// The rules are for English names. Values decide in all cases: a name alone never makes a column a key or a reference.
struct NamedTables: Sendable {
    /// The words, such as `id`, with which the name of a key or a reference may end.
    static let keyWords: Set<String> = ["id", "key", "code", "no", "nr", "uid", "uuid", "number"]
    /// The names of keys that do not contain the name of their table.
    static let generic: Set<String> = ["id", "name", "code", "key", "no", "nr", "uid", "uuid", "number", "title"]

    /// The words of the names of all datasets.
    private let tables: [[String]]
    /// The words of the names of the keys that the user specified.
    private let keys: [[String]]
    /// The folded names of columns that occur in several datasets.
    private let shared: Set<String>

    /// Creates the rules for a list of datasets.
    ///
    /// - Parameters:
    ///   - names: The names of all datasets that are read together.
    ///   - keys: The names of columns that the user specified as keys; columns with these names may be references.
    ///   - shared: The folded names of columns that occur in several datasets.
    init(_ names: [String], keys: some Sequence<String> = [], shared: Set<String> = []) {
        self.shared = shared
        tables = names.map(Self.words)
        self.keys = keys.map(Self.words)
    }

    /// Returns the words of a name in lowercase: `ship`, `country` and `code` for `shipCountry_code`.
    static func words(_ name: String) -> [String] {
        var words: [String] = []
        var word = ""
        var wasSmall = false
        for character in name {
            guard character.isLetter || character.isNumber else {
                if !word.isEmpty { words.append(word) }
                (word, wasSmall) = ("", false)
                continue
            }
            if character.isUppercase, wasSmall {
                words.append(word)
                word = ""
            }
            wasSmall = !character.isUppercase
            word += character.lowercased()
        }
        return word.isEmpty ? words : words + [word]
    }

    /// Returns a word in the singular: `country` for `countries`.
    static func singular(_ word: String) -> String {
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        for ending in ["sses", "shes", "ches", "xes"] where word.hasSuffix(ending) { return String(word.dropLast(2)) }
        return word.hasSuffix("s") && !word.hasSuffix("ss") && word.count > 3 ? String(word.dropLast()) : word
    }

    private static func singular(_ words: [String]) -> [String] {
        words.isEmpty ? [] : words.dropLast() + [singular(words[words.count - 1])]
    }

    /// Returns a Boolean value that indicates whether a column has the name of a reference to one of the datasets.
    func mayRefer(_ column: String) -> Bool {
        let words = Self.words(column)
        guard let last = words.last else { return false }
        if Self.keyWords.contains(last) || shared.contains(NameMatching.folded(column)) { return true }
        return tables.contains { Self.ends(Self.singular(words), with: Self.singular($0)) }
            || keys.contains { Self.ends(words, with: $0) }
    }

    /// Returns a Boolean value that indicates whether a name ends with other words, separately or as one word.
    private static func ends(_ words: [String], with others: [String]) -> Bool {
        !others.isEmpty && (words.suffix(others.count) == others[...] || words.last == others.joined())
    }

    /// Returns the reason why a column's name indicates a reference to a table by the table's key.
    ///
    /// - Returns: The reason; `nil` if the name does not indicate a reference.
    static func reason(_ column: String, to table: String, key: String) -> String? {
        let (words, tableWords, keyWordsOfKey) = (words(column), singular(words(table)), words(key))
        if !generic.contains(keyWordsOfKey.joined()), ends(words, with: keyWordsOfKey), !keyWordsOfKey.isEmpty {
            return "its name is that of \(table)'s key \(key)"
        }
        return isNamed(words, of: tableWords) ? "its name is that of \(table)" : nil
    }

    /// Returns a Boolean value that indicates whether a column has the name of a table, possibly followed by a word for
    /// a key.
    static func isNamed(_ column: String, of table: String) -> Bool {
        isNamed(words(column), of: singular(words(table)))
    }

    private static func isNamed(_ column: [String], of table: [String]) -> Bool {
        stems(column).contains { ends(singular($0), with: table) }
    }

    /// Returns the words of a name without the word for a key at the end, in each possible way.
    private static func stems(_ words: [String]) -> [[String]] {
        var stem = words
        if let last = stem.last, keyWords.contains(last), stem.count > 1 { stem.removeLast() }
        // `customerid` is one word.
        let joined = stem.count == 1 ? keyWords.filter { stem[0].hasSuffix($0) && stem[0].count > $0.count + 2 } : []
        return [stem] + joined.sorted().map { [String(stem[0].dropLast($0.count))] }
    }

    /// Returns a Boolean value that indicates whether the name of a key contains the name of its table, as `line_no` of
    /// order lines does.
    static func saysTable(_ key: String, _ table: String) -> Bool {
        let table = singular(words(table))
        return stems(words(key)).contains { ends(singular($0), with: table) || ends(table, with: singular($0)) }
    }

    /// Returns a Boolean value that indicates whether a column's name has no word for a key.
    static func isBare(_ column: String) -> Bool {
        let words = words(column)
        return stems(words) == [words]
    }

    /// Returns a Boolean value that indicates whether a key is named like a number, such as a page number, that is not
    /// always a key.
    static func isNumber(_ key: String) -> Bool {
        words(key).last.map { ["no", "nr", "number"].contains($0) } ?? false
    }

    /// Returns a Boolean value that indicates whether the name of a column suggests a count or a flag.
    ///
    /// Examples are `orders`, `number of orders`, `is_customer`.
    static func isCount(_ column: String) -> Bool {
        let words = words(column)
        guard let last = words.last, isBare(column) else { return false }
        // The word status is a singular.
        let isPlural = singular(last) != last && !last.hasSuffix("us") && !last.hasSuffix("is")
        return isPlural || words.count > 1 && ["is", "has"].contains(words[0])
    }

    /// Returns a Boolean value that indicates whether a column of a table has the name of another table's key.
    ///
    /// For example, `country_code` of a table of airports is such a column if there is a table of countries.
    func isKeyOfAnother(_ column: String, than table: String) -> Bool {
        let own = Self.singular(Self.words(table))
        let others = tables.map(Self.singular).filter { $0 != own }
        let stems = Self.stems(Self.words(column)).map(Self.singular)
        return !stems.contains { Self.ends($0, with: own) }
            && stems.contains { stem in others.contains { Self.ends(stem, with: $0) } }
    }

    /// Returns the rank of a column's name as the name of a key, 0 for the best; `nil` if the name does not suggest a
    /// key.
    static func keyRank(_ column: String, of table: String) -> Int? {
        let words = words(column)
        guard let last = words.last else { return nil }
        let entity = singular(self.words(table))
        if words == ["id"] { return 0 }
        let keys: Set<String> = ["id", "key", "code", "no", "nr", "number"]
        if words.count > 1, keys.contains(last), ends(singular(Array(words.dropLast())), with: entity) { return 1 }
        if words.count == 1, keys.contains(where: { words[0] == entity.joined() + $0 }) { return 1 }
        if words.count == 1, ["code", "key", "uid", "uuid"].contains(last) { return 2 }
        return keys.contains(last) || ["uid", "uuid"].contains(last) ? 3 : nil
    }
}
