import StrataCore

/// A conversion of an old model to the attribute names of a new model, which are connected by the earlier names in the
/// new model.
///
/// The comparison of two models uses it, so that a renamed attribute is one difference instead of a removed and an
/// added attribute. An earlier name counts only if the old model has an attribute with that name, and if the new model
/// has no property with that name. If an attribute has several earlier names, the first such name counts. If the
/// renamed model would be invalid, the old model remains unchanged, without sentences.
struct Renaming {
    /// The old model with the attribute names of the new model, and one sentence about each renamed attribute.
    let result: (model: ManagedObjectModel, sentences: [String])

    init(of old: ManagedObjectModel, to new: ManagedObjectModel) {
        var names: [String: [String: String]] = [:]
        var sentences: [String] = []
        for entity in new.entities where entity.attributes.contains(where: { !$0.renamedFrom.isEmpty }) {
            guard let earlier = old[entity.name] else { continue }
            let (known, kept) = (Set(earlier.properties.map(\.name)), Set(entity.properties.map(\.name)))
            var attributes = Set(earlier.attributes.map(\.name))
            for attribute in entity.attributes where !known.contains(attribute.name) {
                guard let name = attribute.renamedFrom.first(where: { attributes.contains($0) && !kept.contains($0) })
                else { continue }
                attributes.remove(name)
                names[entity.name, default: [:]][name] = attribute.name
                sentences.append("\(entity.name).\(name) has the name \(attribute.name) in the new model")
            }
        }
        // Returns a model in which attributes are renamed wherever their names occur; `names` contains the new names by
        // entity and old name.
        let model = names.isEmpty ? nil : try? Self.model(old, names)
        result = model.map { ($0, sentences) } ?? (old, [])
    }

    /// Returns a model with other attribute names, by entity and name, at every use of the names.
    ///
    /// A name occurs in the attribute itself, in uniqueness constraints and indexes, in ordering attributes, and in the
    /// keys by which files reference objects.
    private static func model(
        _ model: ManagedObjectModel, _ names: [String: [String: String]]
    ) throws -> ManagedObjectModel {
        func renamed(_ name: String, of owner: String) -> String { names[owner]?[name] ?? name }
        func key(_ key: ExternalKey, of owner: String) -> ExternalKey {
            ExternalKey(key.properties.map { renamed($0, of: owner) }, columns: key.columns)
        }
        return try ManagedObjectModel(
            model.entities.map { description in
                let properties = description.properties.map { property -> EntityDescription.Property in
                    switch property {
                    case .attribute(var attribute):
                        let name = renamed(attribute.name, of: description.name)
                        // Files may still use the earlier name.
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
                    indexes: lists(description.indexes), external: description.external,
                    keepsOrder: description.keepsOrder)
            })
    }
}
