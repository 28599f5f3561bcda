/// The grammars of those kinds of texts that are combined from lists of words.
///
/// No two texts of a kind are equal. If a word can be the prefix of another word, it is followed by a character that no
/// word contains.
enum KindTexts {
    /// Returns the grammar of a kind's texts, which is empty for a kind that is generated without a grammar.
    static func grammar(_ kind: FixtureGenerator.Kind) -> TextGrammar {
        switch kind {
        case .email:
            TextGrammar([PlainWords.given, ["."], PlainWords.family, twoDigits, ["@"], PlainWords.domains])
        case .userName: TextGrammar([PlainWords.given, ["_"], PlainWords.family, twoDigits])
        case .street: TextGrammar([PlaceNames.streets, [" "], (1...199).map(String.init)])
        case .city: TextGrammar([PlaceNames.cities])
        case .country: TextGrammar([PlaceNames.countries.map(\.name)])
        case .countryCode: TextGrammar([PlaceNames.countries.map(\.code)])
        case .company: TextGrammar([PlainWords.family.map(capitalized), [" "], PlainWords.companyForms])
        case .words: TextGrammar([PlainWords.adjectives, [" "], PlainWords.nouns])
        case .title:
            TextGrammar([["The "], PlainWords.adjectives.map(capitalized), [" "], PlainWords.nouns.map(capitalized)])
        case .sentence:
            TextGrammar([
                ["The "], PlainWords.adjectives, [" "], PlainWords.nouns, [" "], PlainWords.verbs, [" the "],
                PlainWords.adjectives, [" "], PlainWords.nouns, ["."],
            ])
        case .givenName, .familyName, .fullName, .colorName, .itemName, .uuid, .hexColor: TextGrammar()
        }
    }

    private static let twoDigits: [String] = (0...99).map { ($0 < 10 ? "0" : "") + "\($0)" }

    /// Returns a word with an initial capital.
    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
