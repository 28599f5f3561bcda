/// An ``ExternalKey`` resolved in a model: the key by which datasets identify the target row of a reference.
public struct ReferenceKey: Sendable {
    /// The part of a reference key for one column of the target's unique key.
    public struct Part: Sendable {
        /// The range of this part in the key's values: one value, or all values of the nested key.
        public let values: Range<Int>
        /// The key of the row that the part's column references; `nil` if the column contains the value itself.
        public let nested: ReferenceKey?
    }

    /// One value of a reference key.
    public struct Value: Sendable {
        /// The key path from the target row to the value: relationships, followed by an attribute or `id`.
        public let path: [String]
        /// The type of the value.
        public let type: AttributeType
    }

    /// The entity of the target rows.
    public let entity: EntityDescription
    /// The unique key of the target entity.
    public let key: UniqueKey
    /// The parts of the key, one for each column of ``key``, in the same order.
    public let parts: [Part]
    /// The values of the key, in the order of their dataset columns.
    public let values: [Value]
}

extension ManagedObjectModel {
    /// Returns the key by which datasets identify the target of a to-one relationship.
    ///
    /// - Parameters:
    ///   - column: The index of a column.
    ///   - entity: The entity that has the column.
    /// - Returns: The key; `nil` if the column is an attribute, or if datasets contain the target's identifier.
    /// - Complexity: O(*n*) in the count of properties of all entities that the key references.
    public func referenceKey(ofColumn column: Int, in entity: EntityDescription) -> ReferenceKey? {
        guard let external = entity.columns[column].externalKey, let destination = entity.columns[column].destination
        else { return nil }
        return referenceKey(external.properties, of: destination)
    }

    /// Returns the key of an entity that consists of some properties.
    ///
    /// The result is `nil` if the properties are not a unique key, which is impossible in a validated model.
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
