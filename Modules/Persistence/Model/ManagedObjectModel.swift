/// The entities an application works with: an immutable value, checked once when it is made.
public struct ManagedObjectModel: Sendable {
    /// The entities, in the declared order.
    public let entities: [EntityDescription]

    private let byName: [String: EntityDescription]
    private let recordTypes: [String: any PersistentRecord.Type]

    /// Makes the model of record types: what contexts work with.
    ///
    /// - Throws: As ``init(_:)``.
    public init(records: [any PersistentRecord.Type]) throws {
        try self.init(
            records.map { Self.description(of: $0) },
            recordTypes: Dictionary(
                records.map { (Self.description(of: $0).name, $0) }, uniquingKeysWith: { first, _ in first }))
    }

    private static func description<Record: PersistentRecord>(of type: Record.Type) -> EntityDescription {
        Record.entity.description
    }

    /// Makes a model of entities alone, for stores and bulk paths, and checks that it is whole.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidModel`` that names the entity and property: names
    ///   that repeat or that a store could not use, destinations and inverses that do not exist or do not match, defaults and
    ///   bounds that are not of their attribute's type, patterns that are no regular expression.
    public init(_ entities: [EntityDescription]) throws {
        try self.init(entities, recordTypes: [:])
    }

    private init(_ entities: [EntityDescription], recordTypes: [String: any PersistentRecord.Type]) throws {
        self.entities = entities
        self.recordTypes = recordTypes
        byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        try ModelCheck(model: self).run()
    }

    /// The entity of that name.
    public subscript(_ name: String) -> EntityDescription? { byName[name] }

    /// The entity of that name.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when the model has none.
    public func entity(named name: String) throws -> EntityDescription {
        guard let entity = byName[name] else {
            throw PersistenceError(.invalidRequest, "the model has no entity “\(name)”")
        }
        return entity
    }

    /// The record type of an entity.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidModel`` when the model was made without record types.
    func recordType(of entity: String) throws -> any PersistentRecord.Type {
        guard let type = recordTypes[entity] else {
            throw PersistenceError(
                .invalidModel, "the model was made without this entity's record type", entity: entity)
        }
        return type
    }

    /// The record type of an entity; `nil` when the model was made without record types.
    func registeredType(of entity: String) -> (any PersistentRecord.Type)? { recordTypes[entity] }

    /// The to-one relationships of all entities that lead to the given one, with their owners.
    func references(to name: String) -> [(entity: EntityDescription, column: Int)] {
        entities.flatMap { entity in
            entity.columns.indices
                .filter { entity.columns[$0].destination == name }
                .map { (entity, $0) }
        }
    }
}
