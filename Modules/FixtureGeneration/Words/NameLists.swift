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

/// The lists of names of all languages.
enum NameLists {
    /// The lists in a fixed order, which is part of the dataset: new languages come last.
    static let all: [NameList] = [
        .english, .german, .french, .spanish, .italian, .dutch, .polish, .portuguese, .swedish, .turkish,
        .czech, .greek, .russian, .arabic, .hindi, .japanese, .chinese, .korean, .vietnamese, .icelandic,
    ]
}
