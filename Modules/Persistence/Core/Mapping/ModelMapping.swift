/// What leads from one model to another without anybody's help: Core Data's inferred mapping model.
///
/// ```swift
/// let mapping = ModelMapping(from: old, to: new)
/// for step in mapping.steps { print(step) }
/// ```
///
/// Pure values: no store is asked. Whether the rows at hand allow it, and how many of them a step drops, is found by the store that carries it out.
public struct ModelMapping: Sendable {
    /// The earlier model.
    public let source: ManagedObjectModel
    /// The later model.
    public let destination: ManagedObjectModel
    /// How the rows of each entity of the later model come about, in its order.
    public let entities: [EntityMapping]
    /// The entities that nothing in the later model comes from.
    public let removedEntities: [EntityDescription]
    /// What happens, in the order in which it is told; empty where stores need nothing.
    public let steps: [MigrationStep]
    /// What no rule leads to, a sentence each; a stage of a plan has to.
    public var obstacles: [String] { obstaclesByEntity.map(\.message) }
    /// The same, with the names of the later entities.
    package let obstaclesByEntity: [(entity: String, message: String)]
    /// What looks like a rename that nobody declared, a sentence each.
    public let hints: [String]

    /// Where the pairs of the later model's many-to-many relationships come from, in the order of its joins.
    package let joins: [JoinMapping]
    /// The join tables from which nothing comes.
    package let removedJoins: [JoinDescription]
    /// The columns of earlier entities from which nothing comes, by the entities' names; not those of removed entities.
    package let removedColumns: [String: [Int]]

    /// Finds what leads from one model to another.
    ///
    /// What has the same name is the same, whatever the case of its letters; what says that it was called otherwise (`renamedFrom`) is that, where there is nothing
    /// of its own name.
    ///
    /// - Parameters:
    ///   - source: The earlier model.
    ///   - destination: The later model.
    /// - Complexity: O(*n*) in the properties of both, but for the entities' earlier names.
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

    /// Whether tables or rows of a store change, and not only its indexes and what it says of itself.
    public var isPhysical: Bool { steps.contains(where: \.isPhysical) }

    /// Whether rows have to change before they are read with the later model.
    ///
    /// Values that record types compute need not be computed before.
    package var changesRows: Bool {
        !obstacles.isEmpty || steps.contains { $0.isPhysical && $0.kind != .compute }
    }

    /// The names of entities with values that have others in their places.
    package var entitiesWithRenamedValues: Set<String> {
        Set(steps.filter { $0.kind == .renameValue }.map(\.entity))
    }

    /// The names of entities with rows of which records are made, because their record types compute values.
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

    /// How an entity of the later model comes about.
    package func entity(named name: String) -> EntityMapping? { entities.first { $0.entity.name == name } }

    /// Returns the earlier entity, and the place of its attribute, with the later identifiers of rows of an entity.
    ///
    /// - Parameter name: The entity's name in the later model.
    /// - Returns: Both, or `nil` if rows of the entity keep their identifiers.
    package func renumbering(ofEntity name: String) -> (entity: EntityDescription, column: Int)? {
        guard let mapping = entity(named: name), let entity = mapping.source, let column = mapping.identifier else {
            return nil
        }
        return (entity, column)
    }
}
