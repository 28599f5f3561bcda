import StrataInference
import StrataInterchange
import StrataPersistence

/// The model of a store, extended by those entities and attributes that only the model inferred from new data contains.
struct ModelGrowth {
    /// The added entities and attributes in the order of the data, such as `Customer.phone: string`.
    private(set) var additions: [String] = []
    private var entities: [EntityDescription]
    private let stored: ManagedObjectModel
    private let data: ManagedObjectModel
    /// The case-folded names of columns that have null values in the data, by entity.
    private var nulls: [String: Set<String>] = [:]
    /// The names of the data's entities in the store's model, which can differ from their names in the data's model.
    private var names: [String: String] = [:]

    /// Creates the extended model.
    ///
    /// - Parameters:
    ///   - stored: The model of the store.
    ///   - data: The model of the data.
    ///   - report: The counts of values in the data, from which columns with null values are determined.
    init(of stored: ManagedObjectModel, by data: ManagedObjectModel, _ report: InferenceReport) {
        (self.stored, self.data) = (stored, data)
        for entity in report.entities {
            nulls[entity.name] = Set(entity.columns.filter { $0.nulls > 0 }.map(\.name).map(NameMatching.folded))
        }
        entities = stored.entities
        for entity in data.entities { names[entity.name] = Self.same(entity, in: stored)?.name ?? entity.name }
        for entity in data.entities {
            guard let place = entities.firstIndex(where: { $0.name == names[entity.name] }),
                Self.same(entity, in: stored) != nil
            else {
                additions.append("\(entity.name), with \(entity.properties.map(\.name).joined(separator: ", "))")
                entities.append(entity.withReferences(leading))
                continue
            }
            let known = Self.columnNames(entities[place], stored)
            var properties = entities[place].properties
            var columns: [String] = []
            for property in entity.properties {
                if let relaxed = relaxed(property, of: entity, in: properties) {
                    properties[relaxed].allowNull()
                    additions.append(
                        "\(entities[place].name).\(properties[relaxed].name): null is now allowed, because records of "
                            + "the data have no value"
                    )
                    continue
                }
                guard let added = added(property, of: entity, to: known, properties) else { continue }
                if case .attribute(let attribute) = added {
                    additions.append("\(entities[place].name).\(attribute.name): \(attribute.type)")
                } else {
                    additions.append("\(entities[place].name).\(added.name)")
                }
                properties.append(added)
                columns += Self.columns(of: added)
            }
            entities[place] = entities[place].with(properties, columns: columns)
        }
    }

    /// Returns the extended model.
    ///
    /// - Throws: `PersistenceError` if the extended model is invalid.
    func model() throws -> ManagedObjectModel { try ManagedObjectModel(entities) }

    private static func same(_ entity: EntityDescription, in stored: ManagedObjectModel) -> EntityDescription? {
        let name = entity.external.name ?? entity.name
        return stored.entities.first { ($0.external.name ?? $0.name) == name }
            ?? stored.entities.first { NameMatching.folded($0.name) == NameMatching.folded(name) }
    }

    /// Returns the case-folded names of an entity's columns in files.
    private static func columnNames(_ entity: EntityDescription, _ model: ManagedObjectModel) -> Set<String> {
        Set((model.externalColumns(of: entity).map(\.name) + entity.attributes.map(\.name)).map(NameMatching.folded))
    }

    /// Returns the names of a property's columns in files.
    private static func columns(of property: EntityDescription.Property) -> [String] {
        switch property {
        case .attribute(let attribute): return [attribute.externalName ?? attribute.name]
        case .relationship(let relationship):
            guard relationship.cardinality == .toOne, relationship.ownsForeignKey else { return [] }
            return relationship.externalKey?.columns ?? [relationship.externalName ?? relationship.name]
        }
    }

    /// Returns the index of a property that is mandatory in the store, although the data has null values for it;
    /// otherwise `nil`.
    private func relaxed(
        _ property: EntityDescription.Property, of entity: EntityDescription, in stored: [EntityDescription.Property]
    ) -> Int? {
        let columns = Self.columns(of: property).map(NameMatching.folded)
        guard property.isOptional, columns.contains(where: { nulls[entity.name]?.contains($0) ?? false }) else {
            return nil
        }
        return stored.firstIndex { other in
            !other.isOptional && !columns.isEmpty && Self.columns(of: other).map(NameMatching.folded) == columns
        }
    }

    /// Returns a property for the store's entity, which is optional because existing rows have no value; `nil` if the
    /// entity already has it.
    private func added(
        _ property: EntityDescription.Property, of entity: EntityDescription, to known: Set<String>,
        _ properties: [EntityDescription.Property]
    ) -> EntityDescription.Property? {
        guard !properties.contains(where: { $0.name == property.name }) else { return nil }
        switch property {
        case .attribute(var attribute):
            guard !known.contains(NameMatching.folded(attribute.externalName ?? attribute.name)) else { return nil }
            attribute.isOptional = true
            attribute.isUnique = false
            return .attribute(attribute)
        case .relationship(var relationship):
            if Self.columns(of: property).contains(where: { known.contains(NameMatching.folded($0)) }) { return nil }
            relationship = leading(relationship)
            relationship.isOptional = true
            return .relationship(relationship)
        }
    }

    /// Returns a relationship of the data, changed so that it references an entity of the store by the store's key.
    ///
    /// The store can number rows that have identifiers in the data, and vice versa. The columns in files are the same.
    private func leading(_ relationship: RelationshipDescription) -> RelationshipDescription {
        var relationship = relationship
        guard let before = data[relationship.destination] else { return relationship }
        relationship.destination = names[before.name] ?? before.name
        guard relationship.cardinality == .toOne, relationship.ownsForeignKey,
            let target = stored[relationship.destination]
        else { return relationship }
        func fileName(_ property: String) -> String? {
            before.columnIndex(property).map { before.columns[$0].externalName }
        }
        let keys =
            relationship.externalKey?.properties.compactMap(fileName) ?? [before.external.idColumn].compactMap(\.self)
        let columns = relationship.externalKey?.columns ?? [relationship.externalName ?? relationship.name]
        guard keys.count == columns.count else { return relationship }
        let properties = keys.compactMap { key in target.columns.first { $0.externalName == key }?.name }
        if keys == [target.external.idColumn] {
            (relationship.externalKey, relationship.externalName) = (nil, columns[0])
        } else if properties.count == keys.count {
            (relationship.externalKey, relationship.externalName) = (ExternalKey(properties, columns: columns), nil)
        }
        return relationship
    }
}

extension EntityDescription.Property {
    fileprivate var isOptional: Bool {
        switch self {
        case .attribute(let attribute): attribute.isOptional
        case .relationship(let relationship): relationship.isOptional
        }
    }

    fileprivate mutating func allowNull() {
        switch self {
        case .attribute(var attribute):
            attribute.isOptional = true
            self = .attribute(attribute)
        case .relationship(var relationship):
            relationship.isOptional = true
            self = .relationship(relationship)
        }
    }
}

extension EntityDescription {
    /// Returns a copy of the entity that has the given properties, and additional columns in its files.
    fileprivate func with(_ properties: [Property], columns: [String] = []) -> EntityDescription {
        var form = external
        // Without an explicit order, the columns are in the default order, which includes the new columns.
        if !form.columns.isEmpty { form.columns += columns }
        return EntityDescription(
            name, properties, uniquenessConstraints: uniquenessConstraints, indexes: indexes, external: form,
            renamedFrom: renamedFrom, keepsOrder: keepsOrder)
    }

    /// Returns the entity with each relationship replaced by the result of `body`.
    fileprivate func withReferences(
        _ body: (RelationshipDescription) -> RelationshipDescription
    ) -> EntityDescription {
        with(
            properties.map { property in
                if case .relationship(let relationship) = property {
                    .relationship(body(relationship))
                } else {
                    property
                }
            })
    }
}
