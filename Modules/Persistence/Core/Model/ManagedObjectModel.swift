/// The entities of an application: an immutable value that is validated once, when it is created.
public struct ManagedObjectModel: Sendable {
    /// The entities, in declaration order.
    public let entities: [EntityDescription]
    /// The many-to-many relationships, each once, in the declaration order of their first sides.
    public let joins: [JoinDescription]

    private let byName: [String: EntityDescription]
    /// The bindings of a higher layer, by entity name.
    package let bindings: [String: any EntityBinding]
    private let joinsByEnd: [JoinEnd: (join: JoinDescription, isSource: Bool)]

    private struct JoinEnd: Hashable {
        let entity: String
        let relationship: String
    }

    /// Creates a model of entities without bindings, for stores and bulk operations, and validates it.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidModel`` that names the entity and the
    ///   property. Causes are: names that repeat or that a store cannot use; destinations and inverses that do not
    ///   exist or do not match; relationships that cannot be stored or enforced; defaults and bounds that do not have
    ///   their attribute's type; patterns that are not regular expressions.
    public init(_ entities: [EntityDescription]) throws {
        try self.init(entities, bindings: [:])
    }

    /// Creates a model of entities with bindings of a higher layer.
    ///
    /// - Throws: As ``init(_:)``.
    package init(_ entities: [EntityDescription], bindings: [String: any EntityBinding]) throws {
        let entities = Self.resolvingOneToOne(entities)
        self.entities = entities
        self.bindings = bindings
        joins = Self.joins(of: entities)
        joinsByEnd = joins.reduce(into: [:]) { ends, join in
            // The second line overwrites the first one for a symmetric join, so its only end is a source.
            ends[JoinEnd(entity: join.targetEntity, relationship: join.targetRelationship)] = (join, false)
            ends[JoinEnd(entity: join.sourceEntity, relationship: join.sourceRelationship)] = (join, true)
        }
        byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        try ModelCheck(model: self).run()
    }

    /// Returns the entities with unique columns for their one-to-one relationships.
    private static func resolvingOneToOne(_ entities: [EntityDescription]) -> [EntityDescription] {
        let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return entities.map { entity in
            let unique = entity.relationships.filter { relationship in
                guard relationship.cardinality == .toOne, relationship.ownsForeignKey,
                    let inverse = relationship.inverse
                else { return false }
                return byName[relationship.destination]?.relationship(named: inverse)?.cardinality == .toOne
            }
            // Most entities need no change. They retain their description, because identity distinguishes descriptions.
            let isRight = entity.columns.allSatisfy { column in
                column.destination == nil || column.isUnique == unique.contains { $0.name == column.name }
            }
            return isRight ? entity : EntityDescription(entity, uniqueReferences: Set(unique.map(\.name)))
        }
    }

    /// Returns the entity with a name.
    public subscript(_ name: String) -> EntityDescription? { byName[name] }

    /// Returns the entity with a name.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the model has none.
    public func entity(named name: String) throws -> EntityDescription {
        guard let entity = byName[name] else {
            throw PersistenceError(.invalidRequest, "the model has no entity “\(name)”")
        }
        return entity
    }

    /// Returns the join table of a many-to-many relationship; `nil` for every other kind.
    ///
    /// - Returns: The join table, and a Boolean value that indicates whether the relationship is its source side.
    public func join(of relationship: String, in entity: String) -> (join: JoinDescription, isSource: Bool)? {
        joinsByEnd[JoinEnd(entity: entity, relationship: relationship)]
    }

    /// Returns the join tables with an end in an entity.
    public func joins(touching entity: String) -> [JoinDescription] {
        joins.filter { $0.sourceEntity == entity || $0.targetEntity == entity }
    }

    /// Returns the columns of all entities that reference the given one, with their owners.
    package func references(to name: String) -> [(entity: EntityDescription, column: Int)] {
        entities.flatMap { entity in
            entity.columns.indices
                .filter { entity.columns[$0].destination == name }
                .map { (entity, $0) }
        }
    }
}
