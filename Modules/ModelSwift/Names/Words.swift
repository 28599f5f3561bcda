import StrataModelFiles

/// The words of names, and names from words.
enum Words {
    /// Returns the words of a name in lower case, for comments: `dateHired` results in `date hired`.
    ///
    /// A word of several capital letters remains unchanged.
    static func text(_ name: String) -> String {
        let letters = Array(name)
        var words: [String] = []
        var word = ""
        for (index, letter) in letters.enumerated() {
            let previous = index > 0 ? letters[index - 1] : "_"
            let next = index + 1 < letters.count ? letters[index + 1] : "_"
            let begins =
                letter.isUppercase && (previous.isLowercase || previous.isNumber || (next.isLowercase && !word.isEmpty))
            if letter == "_" || begins {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if letter != "_" { word.append(letter) }
        }
        if !word.isEmpty { words.append(word) }
        return words.map { $0.dropFirst().contains(where: \.isUppercase) ? $0 : $0.lowercased() }.joined(separator: " ")
    }

    /// Returns a name whose first word begins with a lowercase letter: `Country` results in `country`, and `URLText` in
    /// `urlText`.
    static func beginningInLowercase(_ name: String) -> String {
        let capitals = name.prefix { $0.isUppercase }
        let rest = name.dropFirst(capitals.count)
        // The last capital letter of several begins the next word.
        let isWord = capitals.count > 1 && rest.first?.isLowercase == true
        let first = isWord ? capitals.dropLast() : capitals
        return first.lowercased() + (isWord ? capitals.suffix(1) : "") + rest
    }

    /// Returns the name of an enumeration case for a text: `in progress` results in `inProgress`.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - number: The number of the case, which is used if the text has no letters and no digits.
    /// - Returns: A name of ASCII letters and digits that begins with a lowercase letter.
    static func caseName(_ text: String, number: Int) -> String {
        if text.isEmpty { return "empty" }
        var words = ModelNames.words(of: text)
        guard !words.isEmpty else { return "value\(number)" }
        if !words.joined().contains(where: \.isLowercase) { words = words.map { $0.lowercased() } }
        let first = words.removeFirst()
        let isAcronym = !first.contains(where: \.isLowercase)
        let start = isAcronym ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        let name = start + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return name.first?.isNumber == true ? "x\(name)" : name
    }
}
