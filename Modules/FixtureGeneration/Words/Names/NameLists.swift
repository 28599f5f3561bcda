/// The lists of names of all languages.
enum NameLists {
    /// The lists in a fixed order, which is part of the dataset; lists of new languages are added at the end.
    static let all: [NameList] = [
        .english, .german, .french, .spanish, .italian, .dutch, .polish, .portuguese, .swedish, .turkish,
        .czech, .greek, .russian, .arabic, .hindi, .japanese, .chinese, .korean, .vietnamese, .icelandic,
    ]
}
