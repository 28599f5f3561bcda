/// An ``ExternalKey`` found in a model: how the values that files have lead to one row.
public struct ReferenceKey: Sendable {
    /// One column of the unique key.
    public struct Part: Sendable {
        /// Which of the values belong to the column: one, or those of the nested key.
        public let values: Range<Int>
        /// How the row is found that the column refers to; `nil` where the value is the column's own.
        public let nested: ReferenceKey?
    }

    /// One value of the key.
    public struct Value: Sendable {
        /// The way to it from the row: relationships, and an attribute or `id` at the end.
        public let path: [String]
        /// The type.
        public let type: AttributeType
    }

    /// The entity of the rows.
    public let entity: EntityDescription
    /// What is unique of them.
    public let key: UniqueKey
    /// What belongs to each column of the key, in the key's order.
    public let parts: [Part]
    /// The values, in the order in which files have them.
    public let values: [Value]
}

extension ManagedObjectModel {
    /// How the values that files have for a to-one relationship lead to a row; `nil` where files have its identifier, and of attributes.
    ///
    /// - Parameters:
    ///   - column: The place of a column.
    ///   - entity: The entity that has the column.
    /// - Returns: The key.
    /// - Complexity: O(*n*) in the properties of the entities that the key leads through.
    public func referenceKey(ofColumn column: Int, in entity: EntityDescription) -> ReferenceKey? {
        guard let external = entity.columns[column].externalKey, let destination = entity.columns[column].destination
        else { return nil }
        return referenceKey(external.properties, of: destination)
    }

    /// How values lead to a row of an entity, by properties of it; `nil` where they are no key of it, which a checked model has nowhere.
    package func referenceKey(_ properties: [String], of name: String) -> ReferenceKey? {
        guard let entity = self[name], let columns = entity.places(of: properties),
            let key = entity.uniqueKeys.first(where: { $0.columns.sorted() == columns.sorted() })
        else { return nil }
        var values: [ReferenceKey.Value] = []
        var parts: [Int: ReferenceKey.Part] = [:]
        for (property, column) in zip(properties, columns) {
            let start = values.count
            let nested = referenceKey(ofColumn: column, in: entity)
            if let nested {
                values += nested.values.map { ReferenceKey.Value(path: [property] + $0.path, type: $0.type) }
            } else {
                values.append(ReferenceKey.Value(path: [property], type: entity.columns[column].type))
            }
            parts[column] = ReferenceKey.Part(values: start..<values.count, nested: nested)
        }
        return ReferenceKey(entity: entity, key: key, parts: key.columns.compactMap { parts[$0] }, values: values)
    }
}
