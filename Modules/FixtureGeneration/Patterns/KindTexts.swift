/// The texts of the kinds that are put together of lists.
///
/// No two texts of a kind are the same: behind a word that may be the beginning of another one stands what no word has inside.
enum KindTexts {
    /// The texts of a kind; those of kinds that are made otherwise are none.
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

    /// A word of plain letters with a capital.
    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
