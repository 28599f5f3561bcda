/// A mapping from one model to another that is found automatically: Core Data's inferred mapping model.
///
/// ```swift
/// let mapping = ModelMapping(from: old, to: new)
/// for step in mapping.steps { print(step) }
/// ```
///
/// The mapping is a pure value and reads no store. The store that applies it checks whether its rows permit the
/// mapping, and counts the rows that a step drops.
public struct ModelMapping: Sendable {
    /// The earlier model.
    public let source: ManagedObjectModel
    /// The later model.
    public let destination: ManagedObjectModel
    /// The origin of the rows of each entity of the later model, in the order of its entities.
    public let entities: [EntityMapping]
    /// The entities that no entity of the later model comes from.
    public let removedEntities: [EntityDescription]
    /// The steps of the migration, in the order in which they are reported; empty if stores need no change.
    public let steps: [MigrationStep]
    /// The changes that no rule covers, one sentence each; a stage of a migration plan must cover them.
    public var obstacles: [String] { obstaclesByEntity.map(\.message) }
    /// The same changes, with the names of the later entities.
    package let obstaclesByEntity: [(entity: String, message: String)]
    /// The changes that look like an undeclared rename, one sentence each.
    public let hints: [String]

    /// The origin of the join rows of the later model's many-to-many relationships, in the order of its joins.
    package let joins: [JoinMapping]
    /// The join tables that no later column or join table comes from.
    package let removedJoins: [JoinDescription]
    /// The columns of earlier entities that no later column comes from, by the entities' names.
    ///
    /// Columns of removed entities are not included.
    package let removedColumns: [String: [Int]]

    /// Finds the mapping from one model to another.
    ///
    /// Properties and entities with the same name correspond, and case does not matter. An item with an earlier name
    /// (`renamedFrom`) corresponds to that name, if the earlier model does not have its own name.
    ///
    /// - Parameters:
    ///   - source: The earlier model.
    ///   - destination: The later model.
    /// - Complexity: O(*n*) in the properties of both models, except for the entities' earlier names.
    public init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
        let names = NameMatch.pairs(
            of: destination.entities.map { ($0.name, $0.renamedFrom) }, among: source.entities.map(\.name))
        var finder = MappingFinder(source: source, destination: destination, entityNames: names)
        finder.run()
        self.source = source
        self.destination = destination
        entities = finder.entities
        joins = finder.joins
        removedEntities = source.entities.filter { !names.values.contains($0.name) }
        removedColumns = finder.removedColumns
        removedJoins = source.joins.filter { !finder.usedJoins.contains($0.name) }
        let sayer = MigrationSteps(
            source: source, destination: destination, entities: entities, joins: joins,
            removedEntities: removedEntities, removedColumns: removedColumns, removedJoins: removedJoins)
        steps = sayer.steps()
        obstaclesByEntity = finder.obstacles
        hints = sayer.hints()
    }

    /// A Boolean value that indicates whether tables or rows of a store change, and not only indexes and metadata.
    public var isPhysical: Bool { steps.contains(where: \.isPhysical) }

    /// A Boolean value that indicates whether rows must change before they are read with the later model.
    ///
    /// Values that record types compute need not be computed before.
    package var changesRows: Bool {
        !obstacles.isEmpty || steps.contains { $0.isPhysical && $0.kind != .compute }
    }

    /// The names of entities with renamed values.
    package var entitiesWithRenamedValues: Set<String> {
        Set(steps.filter { $0.kind == .renameValue }.map(\.entity))
    }

    /// The names of entities whose rows must be read as records, because their record types compute values.
    package var computedEntities: Set<String> {
        let changed = Set(steps.filter(\.isPhysical).map(\.entity))
        return Set(
            entities.filter { mapping in
                guard let source = mapping.source, mapping.entity.computationVersion != nil,
                    destination.form(of: mapping.entity.name) != nil
                else { return false }
                let refersToRenumbered = mapping.entity.columns.contains { column in
                    column.destination.flatMap { renumbering(ofEntity: $0) } != nil
                }
                return refersToRenumbered || !changed.isDisjoint(with: [mapping.entity.name, source.name])
            }.map(\.entity.name))
    }

    /// Returns the mapping of an entity of the later model.
    package func entity(named name: String) -> EntityMapping? { entities.first { $0.entity.name == name } }

    /// Returns the earlier attribute whose values become the identifiers of an entity's rows.
    ///
    /// - Parameter name: The entity's name in the later model.
    /// - Returns: The earlier entity and the index of the attribute's column; `nil` if rows of the entity keep their
    ///     identifiers.
    package func renumbering(ofEntity name: String) -> (entity: EntityDescription, column: Int)? {
        guard let mapping = entity(named: name), let entity = mapping.source, let column = mapping.identifier else {
            return nil
        }
        return (entity, column)
    }
}
