extension FileName {
    /// Returns a name of a column as texts write it: in backticks if it is no word, a keyword, or `_row`.
    package static func written(_ name: String) -> String {
        // A name that the lexer rejects is no word.
        let isWord =
            (try? PredicateLexer.tokens(of: Array(name.unicodeScalars)))?.first?.kind == .word(name, isKeyword: true)
        let needsBackticks = !isWord || keywords.contains(name.foldingASCIICase()) || name == rowNumber
        return needsBackticks ? "`\(name)`" : name
    }

    /// The words that mean something else even if a column has their name.
    private static let keywords: Set<String> = [
        "true", "false", "null", "truepredicate", "falsepredicate", "and", "or", "not", "in", "between", "is",
        "contains", "beginswith", "endswith", "like", "matches",
    ]
}

extension ManagedObjectModel {
    /// Lists the names of files of an entity as texts write them.
    package func writtenFileNames(of entity: EntityDescription) -> [String] {
        let names = fileNames(of: entity)
        // The number of a row follows the columns, of which one may have its name.
        let number = entity.external.idColumn == nil ? names.lastIndex(of: FileName.rowNumber) : nil
        return names.indices.map { $0 == number ? names[$0] : FileName.written(names[$0]) }
    }
}
