package import StrataCore

extension FileName {
    /// Returns the name of a column as a textual predicate must contain it.
    ///
    /// The name is put in backticks if it is not a word, is a keyword, or is `_row`.
    package static func written(_ name: String) -> String {
        // A name that the lexer rejects is not a word.
        let isWord =
            (try? PredicateLexer.tokens(of: Array(name.unicodeScalars)))?.first?.kind == .word(name, isKeyword: true)
        let needsBackticks = !isWord || keywords.contains(name.foldingASCIICase()) || name == rowNumber
        return needsBackticks ? "`\(name)`" : name
    }

    /// The words that are keywords even if a column has the same name.
    private static let keywords: Set<String> = [
        "true", "false", "null", "truepredicate", "falsepredicate", "and", "or", "not", "in", "between", "is",
        "contains", "beginswith", "endswith", "like", "matches",
    ]
}

extension ManagedObjectModel {
    /// Returns the dataset names of an entity as a textual predicate must contain them, in backticks if necessary.
    package func writtenFileNames(of entity: EntityDescription) -> [String] {
        let names = fileNames(of: entity)
        // The name of the row number follows the columns. A column can have the same name.
        let number = entity.external.idColumn == nil ? names.lastIndex(of: FileName.rowNumber) : nil
        return names.indices.map { $0 == number ? names[$0] : FileName.written(names[$0]) }
    }
}
