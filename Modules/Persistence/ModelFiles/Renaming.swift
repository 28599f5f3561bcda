import StrataCore

/// An old model with the names that a new one has for its attributes, as far as the new one says which they were.
struct Renaming {
    /// The old model with new names, and a sentence for each.
    private(set) var result: (model: ManagedObjectModel, sentences: [String])

    init(of old: ManagedObjectModel, to new: ManagedObjectModel) {
        result = (old, [])
        for entity in new.entities {
            for attribute in entity.attributes where !attribute.renamedFrom.isEmpty {
                rename(attribute, of: entity)
            }
        }
    }

    private mutating func rename(_ attribute: AttributeDescription, of entity: EntityDescription) {
        guard let earlier = result.model[entity.name],
            !earlier.properties.contains(where: { $0.name == attribute.name }),
            let name = attribute.renamedFrom.first(where: { name in
                earlier.attributes.contains { $0.name == name } && !entity.properties.contains { $0.name == name }
            })
        else { return }
        // What cannot be made with the other name differs in more than the name, and is compared as it is.
        guard let model = try? Self.model(result.model, entity.name, name, attribute.name) else { return }
        result.model = model
        result.sentences.append("\(entity.name).\(name) is called \(attribute.name) in the new model")
    }

    /// A model in which one attribute has another name, wherever it is named.
    private static func model(
        _ model: ManagedObjectModel, _ entity: String, _ old: String, _ new: String
    ) throws -> ManagedObjectModel {
        func renamed(_ name: String, of owner: String) -> String { owner == entity && name == old ? new : name }
        func key(_ key: ExternalKey, of owner: String) -> ExternalKey {
            ExternalKey(key.properties.map { renamed($0, of: owner) }, columns: key.columns)
        }
        return try ManagedObjectModel(
            model.entities.map { description in
                let properties = description.properties.map { property -> EntityDescription.Property in
                    switch property {
                    case .attribute(var attribute):
                        let name = renamed(attribute.name, of: description.name)
                        // Files may still call it what they did.
                        if name != attribute.name {
                            attribute.externalName = attribute.externalName ?? attribute.name
                            attribute.name = name
                        }
                        return .attribute(attribute)
                    case .relationship(var relationship):
                        let destination = relationship.destination
                        relationship.orderingAttribute = relationship.orderingAttribute.map {
                            renamed($0, of: destination)
                        }
                        relationship.externalKey = relationship.externalKey.map { key($0, of: destination) }
                        switch relationship.externalLink {
                        case .list(var list)?:
                            list.property = list.property.map { renamed($0, of: destination) }
                            relationship.externalLink = .list(list)
                        case .table(var table)?:
                            table.owner = key(table.owner, of: description.name)
                            table.destination = key(table.destination, of: destination)
                            relationship.externalLink = .table(table)
                        case nil: break
                        }
                        return .relationship(relationship)
                    }
                }
                func lists(_ lists: [[String]]) -> [[String]] {
                    lists.map { $0.map { renamed($0, of: description.name) } }
                }
                return EntityDescription(
                    description.name, properties, uniquenessConstraints: lists(description.uniquenessConstraints),
                    indexes: lists(description.indexes), external: description.external)
            })
    }
}
