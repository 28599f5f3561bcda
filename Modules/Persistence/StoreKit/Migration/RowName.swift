package import StrataCore

/// The name of a row for people, built from the key by which files identify the row.
package struct RowName {
    /// The columns of the key in files.
    package let columns: [ExternalColumn]

    /// Creates a generator of the names of an entity's rows.
    ///
    /// - Returns: `nil` if files identify the rows by their identifiers, or if the entity has no key.
    package init?(_ entity: EntityDescription, in model: ManagedObjectModel) {
        guard entity.external.idColumn == nil else { return nil }
        let references = model.entities.flatMap(\.columns).filter { $0.destination == entity.name }
        let referenced = references.compactMap { $0.externalKey.map { Set($0.properties) } }
        func names(_ key: UniqueKey) -> Set<String> { Set(key.columns.map { entity.columns[$0].name }) }
        let keys = entity.uniqueKeys.filter { key in key.columns.allSatisfy { !entity.columns[$0].isOptional } }
        let key =
            keys.first { referenced.contains(names($0)) }
            ?? keys.first { $0.columns.count == 1 && entity.columns[$0.columns[0]].externalName == "id" } ?? keys.first
        guard let key else { return nil }
        let properties = names(key)
        columns = model.externalColumns(of: entity).filter { column in
            properties.contains(String(column.path.prefix { $0 != "." }))
        }
    }

    /// Returns the names of the key's columns in files, with the values of a row.
    ///
    /// - Parameters:
    ///   - id: The row's identifier.
    ///   - entity: The entity's name.
    ///   - reader: The reader of the row.
    /// - Returns: The names and values; `nil` if the row does not exist.
    /// - Throws: The errors that `reader` throws.
    package func key(of id: Int64, _ entity: String, in reader: any StoreReader) throws -> [(String, StoredValue)]? {
        let values = try columns.map { column in
            let path = column.path.split(separator: ".").map(String.init)
            return (column.name, try value(path[...], id, entity, in: reader))
        }
        guard values.allSatisfy({ $0.1 != nil }) else { return nil }
        return values.map { ($0.0, $0.1 ?? .null) }
    }

    /// Returns the name of the row with an identifier: `code “A”`, or `year 2020, no 1`; `nil` if the row does not
    /// exist.
    package func text(of id: Int64, _ entity: String, in reader: any StoreReader) throws -> String? {
        try key(of: id, entity, in: reader).map(Self.text)
    }

    /// Returns a row's name from the column names and values of its key.
    package static func text(_ key: [(String, StoredValue)]) -> String {
        key.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    /// Returns the value at the end of a key path that begins at a row; `nil` if a row on the path does not exist.
    private func value(
        _ path: ArraySlice<String>, _ id: Int64, _ entity: String, in reader: any StoreReader
    ) throws -> StoredValue? {
        guard let name = path.first else { return nil }
        let description = try reader.model.entity(named: entity)
        var found: StoredValue? = name == "id" ? .integer(id) : nil
        if let index = description.columnIndex(name) {
            let condition = FetchCondition.compare(.property("id"), .equal, .constant(.integer(id)))
            try reader.fetch(StoreRequest(entity, where: condition)) { row in
                found = try row.value(at: index)
                return .stop
            }
        }
        guard path.count > 1, let destination = description.relationship(named: name)?.destination else { return found }
        guard case .integer(let next)? = found else { return nil }
        return try value(path.dropFirst(), next, destination, in: reader)
    }
}
