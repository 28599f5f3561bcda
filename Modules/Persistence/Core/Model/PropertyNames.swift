/// The kind of property names that a textual predicate or a list of columns uses.
public enum PropertyNames: Sendable, Hashable {
    /// The names of properties in the model; `id` is the identifier.
    case model
    /// The names of columns in datasets, and the names of relationships in the model.
    ///
    /// A reference is represented by the key of its target. `_row` is the row number if the dataset has no identifiers.
    case files
}

/// The property or properties that a name in datasets denotes.
package enum FileName {
    /// The key path to one value, with names of the model.
    ///
    /// Its elements are relationships, followed by an attribute, a relationship or `id`.
    case path([String])
    /// The names of the dataset columns that together represent a reference.
    case columns([String])

    /// The name of the row number in datasets without identifiers; in backticks, it is the name of a column instead.
    package static let rowNumber = "_row"
}

extension ManagedObjectModel {
    /// Returns the property or properties that a name in datasets denotes.
    ///
    /// - Parameters:
    ///   - name: The name of a dataset column, or the name of a property in the model.
    ///   - isQuoted: A Boolean value that indicates whether the name is in backticks.
    ///   - entity: The entity.
    ///   - isLast: `true` if the name is the last one of a path; `false` if the path continues across the relationship.
    /// - Returns: The properties; `nil` if the name is unknown.
    /// - Complexity: O(*n*) in the count of columns of the entity and of all entities that its keys reference.
    package func meaning(
        ofFileName name: String, isQuoted: Bool, in entity: EntityDescription, isLast: Bool
    ) -> FileName? {
        if name == FileName.rowNumber, !isQuoted, entity.external.idColumn == nil { return .path(["id"]) }
        let relationship = entity.relationship(named: name)
        if let column = externalColumns(of: entity).first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
            let path = path(to: column, in: entity, isLast: isLast)
            if isLast || entity.relationship(named: path[0]) != nil || relationship == nil { return .path(path) }
        }
        if name == "id", entity.external.idColumn != nil { return .path(["id"]) }
        guard let index = entity.shownColumnIndex(name) else { return relationship.map { .path([$0.name]) } }
        if isLast, let key = referenceKey(ofColumn: index, in: entity) {
            let columns = entity.columns[index].externalKey?.columns ?? []
            return key.values.count == 1 ? .path([name] + key.values[0].path) : .columns(columns)
        }
        return entity.columns[index].isNumberedName ? nil : .path([name])
    }

    private func path(to column: ExternalColumn, in entity: EntityDescription, isLast: Bool) -> [String] {
        switch column.content {
        case .identifier: ["id"]
        case .column(let index): [entity.columns[index].name]
        case .key(let index, let value):
            [entity.columns[index].name]
                + (isLast ? referenceKey(ofColumn: index, in: entity)?.values[value].path ?? [] : [])
        case .list(let relationship): [relationship]
        }
    }

    /// Returns the names of an entity's dataset columns for completions in a shell.
    ///
    /// A shell expands the words of completions, so a name with other characters than letters, digits and `_` could run
    /// a command. The result contains the name in the model instead of such a name; both denote the same property.
    package func shellNames(of entity: EntityDescription) -> [String] {
        func isWord(_ name: String) -> Bool {
            name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == UInt8(ascii: "_")
            }
        }
        let others = Dictionary(
            externalColumns(of: entity).map { ($0.name, String($0.path.prefix { $0 != "." })) },
            uniquingKeysWith: { first, _ in first })
        return fileNames(of: entity).map { isWord($0) ? $0 : others[$0] ?? $0 }.filter(isWord)
    }

    /// Returns the names that an entity's datasets use: columns, the row number, and relationships without a column.
    package func fileNames(of entity: EntityDescription) -> [String] {
        let columns = externalColumns(of: entity)
        let listed = columns.compactMap { if case .list(let relationship) = $0.content { relationship } else { nil } }
        let others = entity.relationships.map(\.name).filter { name in
            entity.columnIndex(name) == nil && !listed.contains(name)
        }
        return columns.map(\.name) + (entity.external.idColumn == nil ? [FileName.rowNumber] : []) + others
    }
}

extension ColumnDescription {
    /// A Boolean value that indicates whether the property's name is its dataset column's name followed by a number.
    ///
    /// Such a number was added because the model already had the name: a dataset column `id` is `id2` in the model if
    /// `id` is the row number.
    package var isNumberedName: Bool {
        let external = externalName
        guard !external.isEmpty, name.hasPrefix(external) else { return false }
        let rest = name.utf8.dropFirst(external.utf8.count)
        return !rest.isEmpty && rest.allSatisfy { (0x30...0x39).contains($0) }
    }
}
