/// The texts of the kinds that are combined from lists.
///
/// No two texts of a kind are equal. A word that can be the prefix of another word is followed by a character that no
/// word contains.
enum KindTexts {
    /// Returns the texts of a kind; the grammar is empty for kinds that are generated in another way.
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

    /// Returns a word of plain letters with an initial capital.
    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
