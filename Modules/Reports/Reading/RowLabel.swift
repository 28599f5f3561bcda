import StrataCore

/// What a row is called: by the values of the attributes that are names, and by its number where there are none.
struct RowLabel {
    private let entity: String
    private let columns: [Int]

    /// Chooses the attributes: those whose names end with `name`, else `title` or `label`, else the first text.
    init(_ entity: EntityDescription) {
        self.entity = entity.name
        columns = Self.nameColumns(of: entity)
    }

    /// The text columns that name a row, in the declared order.
    static func nameColumns(of entity: EntityDescription) -> [Int] {
        let texts = entity.columns.indices.filter { entity.columns[$0].type == .string }
        for ending in ["name", "title", "label"] {
            let found = texts.filter { entity.columns[$0].name.lowercased().hasSuffix(ending) }
            if !found.isEmpty { return found }
        }
        return Array(texts.prefix(1))
    }

    /// The row's name, cut where it is long.
    func text(of row: RowReader) throws -> String {
        var parts: [String] = []
        for column in columns {
            guard case .string(let text) = try row.value(at: column), !text.isEmpty else { continue }
            let key = TextKey(text)
            parts.append(key.isCut ? key.shown + "…" : key.shown)
        }
        return parts.isEmpty ? Self.number(row.rawID, of: entity) : parts.joined(separator: " ")
    }

    /// What a row without a name is called, as in `Boss 12`.
    static func number(_ id: Int64, of entity: String) -> String { "\(entity) \(id)" }
}
