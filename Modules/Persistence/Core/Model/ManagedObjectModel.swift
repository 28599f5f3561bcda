/// The entities an application works with: an immutable value, checked once when it is made.
public struct ManagedObjectModel: Sendable {
    /// The entities, in the declared order.
    public let entities: [EntityDescription]
    /// The many-to-many relationships, each once, in the order in which their first sides were declared.
    public let joins: [JoinDescription]

    private let byName: [String: EntityDescription]
    /// What a layer above bound to the entities, by their names.
    package let bindings: [String: any EntityBinding]
    private let joinsByEnd: [JoinEnd: (join: JoinDescription, isSource: Bool)]

    private struct JoinEnd: Hashable {
        let entity: String
        let relationship: String
    }

    /// Makes a model of entities alone, for stores and bulk paths, and checks that it is whole.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidModel`` that names the entity and property: names
    ///   that repeat or that a store could not use, destinations and inverses that do not exist or do not match, relationships that
    ///   could not be kept or obeyed, defaults and bounds that are not of their attribute's type, patterns that are no regular
    ///   expression.
    public init(_ entities: [EntityDescription]) throws {
        try self.init(entities, bindings: [:])
    }

    /// Makes a model of entities to which a layer above bound something of its own.
    ///
    /// - Throws: As ``init(_:)``.
    package init(_ entities: [EntityDescription], bindings: [String: any EntityBinding]) throws {
        let entities = Self.resolvingOneToOne(entities)
        self.entities = entities
        self.bindings = bindings
        joins = Self.joins(of: entities)
        joinsByEnd = joins.reduce(into: [:]) { ends, join in
            // A symmetric join's one end is a source.
            ends[JoinEnd(entity: join.targetEntity, relationship: join.targetRelationship)] = (join, false)
            ends[JoinEnd(entity: join.sourceEntity, relationship: join.sourceRelationship)] = (join, true)
        }
        byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        try ModelCheck(model: self).run()
    }

    /// The entities with the columns of their one-to-one relationships made unique.
    private static func resolvingOneToOne(_ entities: [EntityDescription]) -> [EntityDescription] {
        let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return entities.map { entity in
            let unique = entity.relationships.filter { relationship in
                guard relationship.cardinality == .toOne, relationship.ownsForeignKey,
                    let inverse = relationship.inverse
                else { return false }
                return byName[relationship.destination]?.relationship(named: inverse)?.cardinality == .toOne
            }
            // Most entities are as they should be, and one description of an entity can be told from another.
            let isRight = entity.columns.allSatisfy { column in
                column.destination == nil || column.isUnique == unique.contains { $0.name == column.name }
            }
            return isRight ? entity : EntityDescription(entity, uniqueReferences: Set(unique.map(\.name)))
        }
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

    /// The join table that keeps a many-to-many relationship, and whether the relationship is its source side; `nil` for every other kind.
    public func join(of relationship: String, in entity: String) -> (join: JoinDescription, isSource: Bool)? {
        joinsByEnd[JoinEnd(entity: entity, relationship: relationship)]
    }

    /// The join tables with an end in an entity.
    public func joins(touching entity: String) -> [JoinDescription] {
        joins.filter { $0.sourceEntity == entity || $0.targetEntity == entity }
    }

    /// The columns of all entities that refer to the given one, with their owners.
    package func references(to name: String) -> [(entity: EntityDescription, column: Int)] {
        entities.flatMap { entity in
            entity.columns.indices
                .filter { entity.columns[$0].destination == name }
                .map { (entity, $0) }
        }
    }
}
