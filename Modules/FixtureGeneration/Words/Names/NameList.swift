/// The given and family names of one language.
///
/// The names and their order are part of the dataset: a change to them is a new version.
struct NameList: Sendable {
    /// The language's code in ISO 639-1, as `de`.
    let code: String

    /// Given names of women and men, mixed; none stands there twice.
    let givenNames: [String]

    /// Family names, or what takes their place; none stands there twice.
    let familyNames: [String]
}
