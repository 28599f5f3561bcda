import StrataCore

/// The label of a row: the values of its naming attributes, or its number if it has none.
///
/// People recognize a row by its name, not by its identifier. The labels are shown in trees, and the naming attributes
/// also name the colors of a palette.
struct RowLabel {
    private let entity: String
    private let columns: [Int]

    /// Creates labels for an entity from the attributes whose names end in `name`, `title` or `label`.
    ///
    /// If there is no such attribute, the first text attribute is used.
    init(_ entity: EntityDescription) {
        self.entity = entity.name
        columns = Self.nameColumns(of: entity)
    }

    /// Returns the text columns that name a row, in the declared order.
    ///
    /// The endings are tried in the order `name`, `title`, `label`, regardless of case. All columns with the first
    /// ending that occurs are used, such as `firstName` and `lastName`.
    static func nameColumns(of entity: EntityDescription) -> [Int] {
        let texts = entity.columns.indices.filter { entity.columns[$0].type == .string }
        for ending in ["name", "title", "label"] {
            let found = texts.filter { entity.columns[$0].name.lowercased().hasSuffix(ending) }
            if !found.isEmpty { return found }
        }
        return Array(texts.prefix(1))
    }

    /// Returns the label of a row, truncated if it is long.
    ///
    /// Nulls and empty texts are omitted. A label without any text is the name of the entity with the identifier.
    func text(of row: RowReader) throws -> String {
        var parts: [String] = []
        for column in columns {
            guard case .string(let text) = try row.value(at: column), !text.isEmpty else { continue }
            let key = TextKey(text)
            parts.append(key.isCut ? key.shown + "…" : key.shown)
        }
        return parts.isEmpty ? Self.number(row.rawID, of: entity) : parts.joined(separator: " ")
    }

    /// Returns the label of a row without a name, such as `Boss 12`.
    static func number(_ id: Int64, of entity: String) -> String { "\(entity) \(id)" }
}
