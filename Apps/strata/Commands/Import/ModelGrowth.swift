import StrataInterchange
import StrataPersistence

/// A store's model with what the model of some data has beside it: entities, and attributes of entities that both have.
struct ModelGrowth {
    /// What is new, as `Customer.phone: string`, in the data's order.
    private(set) var additions: [String] = []
    private var entities: [EntityDescription]

    init(of stored: ManagedObjectModel, by data: ManagedObjectModel) {
        entities = stored.entities
        // Names of the data's entities may be others than the store's for the same datasets.
        var names: [String: String] = [:]
        for entity in data.entities { names[entity.name] = Self.same(entity, in: stored)?.name ?? entity.name }
        for entity in data.entities {
            guard let place = entities.firstIndex(where: { $0.name == names[entity.name] }),
                Self.same(entity, in: stored) != nil
            else {
                additions.append("\(entity.name), with \(entity.properties.map(\.name).joined(separator: ", "))")
                entities.append(entity.renamed(names))
                continue
            }
            let known = Self.columnNames(entities[place], stored)
            var properties = entities[place].properties
            var columns: [String] = []
            for property in entity.properties {
                guard let added = Self.added(property, of: entity, to: known, properties, names) else { continue }
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

    /// The model.
    ///
    /// - Throws: `PersistenceError` where both do not go together.
    func model() throws -> ManagedObjectModel { try ManagedObjectModel(entities) }

    private static func same(_ entity: EntityDescription, in stored: ManagedObjectModel) -> EntityDescription? {
        let name = entity.external.name ?? entity.name
        return stored.entities.first { ($0.external.name ?? $0.name) == name }
            ?? stored.entities.first { NameMatching.folded($0.name) == NameMatching.folded(name) }
    }

    /// What files call an entity's columns.
    private static func columnNames(_ entity: EntityDescription, _ model: ManagedObjectModel) -> Set<String> {
        Set(model.externalColumns(of: entity).map { NameMatching.folded($0.name) })
    }

    /// What files call a property's columns.
    private static func columns(of property: EntityDescription.Property) -> [String] {
        switch property {
        case .attribute(let attribute): return [attribute.externalName ?? attribute.name]
        case .relationship(let relationship):
            guard relationship.cardinality == .toOne, relationship.ownsForeignKey else { return [] }
            return relationship.externalKey?.columns ?? [relationship.externalName ?? relationship.name]
        }
    }

    /// A property that the store's entity does not have; optional, since its rows have no value.
    private static func added(
        _ property: EntityDescription.Property, of entity: EntityDescription, to known: Set<String>,
        _ properties: [EntityDescription.Property], _ names: [String: String]
    ) -> EntityDescription.Property? {
        guard !properties.contains(where: { $0.name == property.name }) else { return nil }
        switch property {
        case .attribute(var attribute):
            guard !known.contains(NameMatching.folded(attribute.externalName ?? attribute.name)) else { return nil }
            attribute.isOptional = true
            attribute.isUnique = false
            return .attribute(attribute)
        case .relationship(var relationship):
            if columns(of: property).contains(where: { known.contains(NameMatching.folded($0)) }) { return nil }
            relationship.destination = names[relationship.destination] ?? relationship.destination
            relationship.isOptional = true
            return .relationship(relationship)
        }
    }
}

extension EntityDescription {
    /// The same with other properties, and with more columns in its files.
    fileprivate func with(_ properties: [Property], columns: [String] = []) -> EntityDescription {
        var form = external
        // Without an order of their own they are in the usual one, whichever there are.
        if !form.columns.isEmpty { form.columns += columns }
        return EntityDescription(
            name, properties, uniquenessConstraints: uniquenessConstraints, indexes: indexes, external: form,
            renamedFrom: renamedFrom, keepsOrder: keepsOrder)
    }

    /// The same where relationships lead to entities by the names that those have in the store's model.
    fileprivate func renamed(_ names: [String: String]) -> EntityDescription {
        with(
            properties.map { property in
                guard case .relationship(var relationship) = property else { return property }
                relationship.destination = names[relationship.destination] ?? relationship.destination
                return .relationship(relationship)
            })
    }
}
