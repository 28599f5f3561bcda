import StrataCore

/// The requirements on an entity's attributes that result from references to the entity in files.
struct FileKeys {
    /// The attributes and references that are parts of keys in files and therefore must not be null.
    private(set) var properties: Set<String> = []
    /// The separators of the list columns that reference the entity by an attribute, by that attribute's name.
    private(set) var separators: [String: [String]] = [:]

    init(of name: String, in model: ManagedObjectModel) {
        for entity in model.entities {
            for relationship in entity.relationships {
                if relationship.destination == name, let key = relationship.externalKey {
                    properties.formUnion(key.properties)
                }
                switch relationship.externalLink {
                case .table(let table):
                    if entity.name == name { properties.formUnion(table.owner.properties) }
                    if relationship.destination == name { properties.formUnion(table.destination.properties) }
                case .list(let list):
                    guard relationship.destination == name, let property = list.property else { continue }
                    properties.insert(property)
                    separators[property, default: []].append(list.separator)
                case nil: break
                }
            }
        }
    }
}

extension FixtureField {
    /// Makes the field mandatory, including the reference of its generator.
    mutating func isAlwaysThere() {
        nulls = .none
        // The reference becomes mandatory too. Otherwise the first row of a reference to earlier rows would be null,
        // and bounded references would be set to null to match the counts.
        switch generator {
        case .reference(_, let perTarget): generator = .reference(without: .none, perTarget: perTarget)
        case .earlier: generator = .earlier(without: .none)
        default: return
        }
        isOptional = false
    }
}
