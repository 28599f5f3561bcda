import StrataCore

/// What files of a model need of an entity's rows, because other rows are referred to by it.
struct FileKeys {
    /// Attributes and references that are part of such keys: no row is without them.
    private(set) var properties: Set<String> = []
    /// What stands between the elements of lists, by the attribute that the elements are of.
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
    /// Has no row be without a value.
    mutating func isAlwaysThere() {
        nulls = .none
        // A reference must be one that has to lead somewhere: where it may not, the first row that refers to earlier ones refers to none, and
        // references that are bounded are left out as counts ask for it.
        switch generator {
        case .reference(_, let perTarget): generator = .reference(without: .none, perTarget: perTarget)
        case .earlier: generator = .earlier(without: .none)
        default: return
        }
        isOptional = false
    }
}
