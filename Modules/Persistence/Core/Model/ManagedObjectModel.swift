/// A data model: the entities of an application, with their attributes, relationships and rules.
///
/// A store is opened with a model, and every context, request and bulk operation uses the model of its store. A model
/// is immutable, and it is validated when it is created, so that code that has a model need not check it again. It is a
/// value; any thread may use it.
///
/// ```swift
/// let model = try ManagedObjectModel([
///     EntityDescription(
///         "Team",
///         [
///             .relationship(
///                 .init("players", to: "Player", .toMany, inverse: "team", minimumCount: 1, maximumCount: 3))
///         ]),
///     EntityDescription("Player", [.relationship(.init("team", to: "Team", .toOne, inverse: "players"))]),
/// ])
/// ```
///
/// A program with record types usually creates its model from them, and a tool reads the model from a model file.
/// Create a model from descriptions, as above, for stores and bulk operations without record types.
///
/// A store records its model as ``json()``. If the store is later opened with another model, the differences are
/// migrated, as ``MigrationOptions`` specifies.
///
/// ## Topics
///
/// ### Creating a model
///
/// - ``init(_:)``
/// - ``EntityDescription``
/// - ``AttributeDescription``
/// - ``RelationshipDescription``
///
/// ### Finding entities
///
/// - ``entities``
/// - ``entity(named:)``
/// - ``subscript(_:)``
///
/// ### Finding many-to-many relationships
///
/// - ``joins``
/// - ``join(named:)``
/// - ``join(of:in:)``
/// - ``joins(touching:)``
///
/// ### Comparing models
///
/// - ``json()``
/// - ``differences(fromJSON:)``
/// - ``versionHash()``
/// - ``entityHashes()``
/// - ``ModelMapping``
///
/// ### Describing datasets
///
/// - ``externalColumns(of:)``
/// - ``referenceKey(ofColumn:in:)``
///
/// ### Implementing a store
///
/// - ``checkNames(of:)``
public struct ManagedObjectModel: Sendable {
    /// The entities of the model, in declaration order.
    ///
    /// They can differ from the descriptions with which the model was created: the reference column of a one-to-one
    /// relationship is unique here, because only a model knows both sides of the relationship. Use these descriptions
    /// for requests and row blocks.
    public let entities: [EntityDescription]
    /// The join tables of the model's many-to-many relationships, in the declaration order of their sources.
    public let joins: [JoinDescription]

    private let byName: [String: EntityDescription]
    /// The record types that a higher layer assigns to entities, by entity name.
    package let bindings: [String: any EntityBinding]
    private let joinsByEnd: [JoinEnd: (join: JoinDescription, isSource: Bool)]

    private struct JoinEnd: Hashable {
        let entity: String
        let relationship: String
    }

    /// Creates a model of entities without record types, for stores and bulk operations, and validates it.
    ///
    /// The names of entities and properties contain only the letters A to Z, digits and `_`, and begin with a letter.
    /// They must differ in more than case. `id` is reserved for identifiers, and the prefixes `sqlite_` and `strata_`
    /// are reserved for stores.
    ///
    /// - Parameter entities: The descriptions of the entities; an empty array creates a model without entities.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidModel`` that names the entity and the
    ///   property. Causes are: names that repeat or that a store cannot use; destinations and inverses that do not
    ///   exist or do not match; relationships that cannot be stored or enforced; defaults and bounds that do not have
    ///   their attribute's type; patterns that are not regular expressions.
    public init(_ entities: [EntityDescription]) throws {
        try self.init(entities, bindings: [:])
    }

    /// Creates a model of entities, with the record types that a higher layer assigns to them, and validates it.
    ///
    /// - Throws: The errors of ``init(_:)``.
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

    /// Returns copies of the entities in which the reference columns of one-to-one relationships are unique.
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

    /// The entity with a name; `nil` if the model has none.
    ///
    /// The name is compared with case. Use ``entity(named:)`` if a missing entity is an error.
    public subscript(_ name: String) -> EntityDescription? { byName[name] }

    /// Returns the entity with a name.
    ///
    /// Use the method for names from configuration or requests; the subscript returns `nil` instead.
    ///
    /// - Parameter name: The name of the entity; case is significant.
    /// - Returns: The description of the entity, with all information that requests need.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the model has none.
    /// - Complexity: O(1).
    public func entity(named name: String) throws -> EntityDescription {
        guard let entity = byName[name] else {
            throw PersistenceError(.invalidRequest, "the model has no entity “\(name)”")
        }
        return entity
    }

    /// Returns the join table of a many-to-many relationship; `nil` for any other relationship.
    ///
    /// For example, `join(of: "tags", in: "Article")` and `join(of: "articles", in: "Tag")` return the same join table,
    /// if the two relationships are inverses. Only one of both calls returns `isSource: true`.
    ///
    /// - Parameters:
    ///   - relationship: The name of the relationship.
    ///   - entity: The name of the entity that has the relationship.
    /// - Returns: The join table, and a Boolean value that indicates whether the relationship belongs to the table's
    ///   source.
    /// - Complexity: O(1).
    public func join(of relationship: String, in entity: String) -> (join: JoinDescription, isSource: Bool)? {
        joinsByEnd[JoinEnd(entity: entity, relationship: relationship)]
    }

    /// Returns the join tables whose source or target is an entity.
    ///
    /// A store uses the method to delete the join rows of a deleted row. A symmetric join table, and a join table of an
    /// entity with itself, is returned once.
    ///
    /// - Parameter entity: The name of the entity.
    /// - Returns: The join tables in the order of ``joins``; empty if the entity has no many-to-many relationship.
    public func joins(touching entity: String) -> [JoinDescription] {
        joins.filter { $0.sourceEntity == entity || $0.targetEntity == entity }
    }

    /// Returns the reference columns of all entities that reference an entity, each with the entity that has the
    /// column.
    package func references(to name: String) -> [(entity: EntityDescription, column: Int)] {
        entities.flatMap { entity in
            entity.columns.indices
                .filter { entity.columns[$0].destination == name }
                .map { (entity, $0) }
        }
    }
}
