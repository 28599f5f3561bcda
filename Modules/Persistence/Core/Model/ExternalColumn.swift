/// One column of an entity's dataset.
public struct ExternalColumn: Sendable, Hashable {
    /// The content of a dataset column.
    public enum Content: Sendable, Hashable {
        /// The identifier of the row.
        case identifier
        /// The value of the row in the entity's column with this index.
        case column(Int)
        /// One value of the key that identifies the target of the reference in a column of the entity.
        ///
        /// `column` is the index of the reference column in the entity, and `value` is the index of the value in the
        /// key.
        case key(column: Int, value: Int)
        /// A list of all targets of the many-to-many relationship with this name.
        case list(relationship: String)
    }

    /// The name of the column in the dataset.
    public let name: String
    /// The content of the column.
    public let content: Content
    /// The key path from the entity's row to the value, as in the column list of an export: `code`, `customer.code`.
    public let path: String
    /// The type of the column's values.
    public let type: AttributeType
}

extension ManagedObjectModel {
    /// Returns the columns of an entity's dataset, in the order in which they are written.
    ///
    /// - Parameter entity: An entity of the model, or an entity whose relationships reference entities of the model.
    /// - Returns: The columns.
    /// - Complexity: O(*n*) in the count of columns of the entity and of all entities that its keys reference.
    public func externalColumns(of entity: EntityDescription) -> [ExternalColumn] {
        let columns = usualExternalColumns(of: entity)
        let order = entity.external.columns
        guard !order.isEmpty else { return columns }
        let byName = Dictionary(columns.map { (Array($0.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
        return order.compactMap { byName[Array($0.utf8)] }
    }

    /// Returns the columns of an entity's dataset in the default order: identifier, columns of the entity, list
    /// columns.
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
