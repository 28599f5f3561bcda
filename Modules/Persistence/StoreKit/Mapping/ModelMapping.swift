public import StrataCore

/// An automatically found mapping from an earlier model to a later model: Core Data's inferred mapping model.
///
/// ```swift
/// let mapping = ModelMapping(from: old, to: new)
/// for step in mapping.steps { print(step) }
/// ```
///
/// The mapping is a value that depends on the models only. The store that applies it checks whether its rows permit the
/// migration, and counts the rows whose data a step drops.
///
/// Use it to compare two versions of a model in a test, before a release: ``risks`` lists everything that may prevent
/// or damage a migration. For the effect on the rows of one store, use a ``MigrationPreview``.
///
/// ## Topics
///
/// ### Creating a mapping
///
/// - ``init(from:to:)``
/// - ``source``
/// - ``destination``
///
/// ### Changes
///
/// - ``steps``
/// - ``isPhysical``
/// - ``entities``
/// - ``removedEntities``
///
/// ### Risks
///
/// - ``risks``
/// - ``obstacles``
/// - ``hints``
public struct ModelMapping: Sendable {
    /// The earlier model.
    public let source: ManagedObjectModel
    /// The later model.
    public let destination: ManagedObjectModel
    /// The mapping of each entity of the later model, in the order of the later model's entities.
    public let entities: [EntityMapping]
    /// The entities of the earlier model that the later model lacks.
    public let removedEntities: [EntityDescription]
    /// The steps of the migration, in the order in which they are reported; empty if a store needs no change.
    public let steps: [MigrationStep]
    /// The changes between both models that no rule covers, one sentence each; a stage of a migration plan must cover
    /// them.
    public var obstacles: [String] { obstaclesByEntity.map(\.message) }
    /// The changes between both models that no rule covers, each with the name of the later entity.
    package let obstaclesByEntity: [(entity: String, message: String)]
    /// The changes between both models that may be a rename that was not declared, one sentence each.
    public let hints: [String]

    /// The origin of the join rows of each many-to-many relationship, in the order of the later model's join tables.
    package let joins: [JoinMapping]
    /// The earlier join tables whose rows the later model does not use.
    package let removedJoins: [JoinDescription]
    /// The indexes of earlier columns that the later model does not use, by the names of their earlier entities.
    ///
    /// Columns of removed entities are not included.
    package let removedColumns: [String: [Int]]

    /// Finds the mapping from an earlier model to a later model.
    ///
    /// Entities and properties correspond if they have the same name; case is ignored. If an entity or property has an
    /// earlier name (`renamedFrom`) and the earlier model does not have its current name, it corresponds to the earlier
    /// name.
    ///
    /// - Parameters:
    ///   - source: The earlier model.
    ///   - destination: The later model.
    /// - Complexity: O(*n*) in the count of properties of both models, except for the entities' earlier names.
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

    /// A Boolean value that indicates whether the migration changes tables or rows, and not only indexes and metadata.
    public var isPhysical: Bool { steps.contains(where: \.isPhysical) }

    /// A Boolean value that indicates whether stored rows must be migrated before they are read with the later model.
    ///
    /// It is `false` if only values that record types compute are out of date.
    package var changesRows: Bool {
        !obstacles.isEmpty || steps.contains { $0.isPhysical && $0.kind != .compute }
    }

    /// The names of the later entities that have renamed values.
    package var entitiesWithRenamedValues: Set<String> {
        Set(steps.filter { $0.kind == .renameValue }.map(\.entity))
    }

    /// The names of the later entities whose rows must be read as records, because their record types compute values.
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

    /// Returns the mapping of an entity of the later model; `nil` if the later model has no entity with this name.
    package func entity(named name: String) -> EntityMapping? { entities.first { $0.entity.name == name } }

    /// Returns the earlier attribute whose values become the identifiers of an entity's rows.
    ///
    /// - Parameter name: The entity's name in the later model.
    /// - Returns: The earlier entity and the index of the attribute's column; `nil` if the rows keep their identifiers.
    package func renumbering(ofEntity name: String) -> (entity: EntityDescription, column: Int)? {
        guard let mapping = entity(named: name), let entity = mapping.source, let column = mapping.identifier else {
            return nil
        }
        return (entity, column)
    }
}
