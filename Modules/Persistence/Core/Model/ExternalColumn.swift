/// One column of a dataset of an entity.
public struct ExternalColumn: Sendable, Hashable {
    /// What a column holds.
    public enum Content: Sendable, Hashable {
        /// The identifier.
        case identifier
        /// What the entity's column of that place holds.
        case column(Int)
        /// A value of the key by which the reference in a column is given: which of them, from 0.
        case key(column: Int, value: Int)
        /// What a many-to-many relationship leads to, all of it.
        case list(relationship: String)
    }

    /// What files call it.
    public let name: String
    /// What it holds.
    public let content: Content
    /// The way to the value from the row, as an export's columns are asked for: `code`, `customer.code`.
    public let path: String
    /// The type of the values.
    public let type: AttributeType
}

extension ManagedObjectModel {
    /// The columns of a dataset of an entity, in the order in which they are written.
    ///
    /// - Parameter entity: An entity of the model, or one whose relationships lead into it.
    /// - Returns: The columns.
    /// - Complexity: O(*n*) in the columns of the entity and of those that keys lead through.
    public func externalColumns(of entity: EntityDescription) -> [ExternalColumn] {
        let columns = usualExternalColumns(of: entity)
        let order = entity.external.columns
        guard !order.isEmpty else { return columns }
        let byName = Dictionary(columns.map { (Array($0.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
        return order.compactMap { byName[Array($0.utf8)] }
    }

    /// The columns in the usual order: the identifier, the entity's own, lists.
    func usualExternalColumns(of entity: EntityDescription) -> [ExternalColumn] {
        var columns: [ExternalColumn] = []
        if let id = entity.external.idColumn {
            columns.append(ExternalColumn(name: id, content: .identifier, path: "id", type: .integer64))
        }
        for index in entity.shownColumns { columns += externalColumns(ofColumn: index, entity) }
        for relationship in entity.relationships {
            guard case .list(let list) = relationship.externalLink else { continue }
            columns.append(
                ExternalColumn(
                    name: list.column, content: .list(relationship: relationship.name), path: relationship.name,
                    type: .string))
        }
        return columns
    }

    private func externalColumns(ofColumn index: Int, _ entity: EntityDescription) -> [ExternalColumn] {
        let column = entity.columns[index]
        guard let external = column.externalKey, let key = referenceKey(ofColumn: index, in: entity),
            key.values.count == external.columns.count
        else {
            return [
                ExternalColumn(
                    name: column.externalName, content: .column(index), path: column.name, type: column.type)
            ]
        }
        return zip(external.columns, key.values).enumerated().map { number, pair in
            ExternalColumn(
                name: pair.0, content: .key(column: index, value: number),
                path: ([column.name] + pair.1.path).joined(separator: "."), type: pair.1.type)
        }
    }
}
