import StrataDomain
import StrataPersistence
import StrataRepositories

/// The appearance of an entity in the service: its path and the permitted properties.
struct Resource<Record: PersistentRecord>: Sendable {
    /// The first component of the paths.
    let path: String
    /// The names of the attributes and relationships in conditions, sort keys and groups.
    let permitted: Set<String>

    /// The name of the entity.
    var entity: String { Record.entity.name }
}

/// The four resources of the service.
///
/// For a service of your own, replace this file and the model.
enum Resources {
    static let colors = Resource<Color>(path: "colors", permitted: ["hex", "name", "dateCreated"])
    static let bosses = Resource<Boss>(path: "bosses", permitted: ["firstName", "lastName", "employees"])
    static let employees = Resource<Employee>(
        path: "employees", permitted: ["firstName", "lastName", "salary", "dateHired", "boss"])
    /// The cost of an item is returned, but clients cannot search or sort by it.
    static let items = Resource<Item>(
        path: "items", permitted: ["itemId", "name", "dateCreated", "unitPrice", "stockCount"])

    static let entities = [colors.entity, bosses.entity, employees.entity, items.entity]

    /// The properties of each entity that conditions may contain.
    static let permitted = [
        colors.entity: colors.permitted, bosses.entity: bosses.permitted, employees.entity: employees.permitted,
        items.entity: items.permitted,
    ]

    /// Returns the model of the service: the entities of the repositories, and the stored responses.
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Color.self, Boss.self, Employee.self, Item.self, StoredResponse.self])
    }
}

extension ManagedObjectModel {
    /// Returns the model with the given properties only, so that texts of clients cannot name other ones.
    func restricted(to permitted: [String: Set<String>]) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            entities.compactMap { entity in
                guard let names = permitted[entity.name] else { return nil }
                return EntityDescription(entity.name, entity.properties.filter { names.contains($0.name) })
            })
    }
}
