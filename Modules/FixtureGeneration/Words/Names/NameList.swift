/// The given and family names of one language.
///
/// The names and their order are part of the dataset, so a change to them requires a new dataset version.
struct NameList: Sendable {
    /// The ISO 639-1 code of the language, such as `de`.
    let code: String

    /// The given names of women and men, without duplicates.
    let givenNames: [String]

    /// The family names, or patronymics in languages without family names, without duplicates.
    let familyNames: [String]
}
