import StrataCore

/// The identity maps of a context, one for each entity that the context used.
///
/// Its state consists of the identity maps, by entity and by record type. It is confined to the context's queue.
final class ObjectRegistry {
    private var maps: [String: IdentityMap] = [:]
    private var mapsByType: [ObjectIdentifier: IdentityMap] = [:]
    private let coordinator: PersistentStoreCoordinator
    /// The receiver of the notifications of all objects.
    private let context: any ObjectContext
    /// A closure that returns the traits of an entity's record type.
    ///
    /// The traits depend on protocols that are declared in a higher layer of the module.
    private let traits: (EntityDescription, ManagedObjectModel) -> RecordTraits
    let model: ManagedObjectModel

    init(
        coordinator: PersistentStoreCoordinator, context: any ObjectContext,
        traits: @escaping (EntityDescription, ManagedObjectModel) -> RecordTraits
    ) {
        self.coordinator = coordinator
        self.context = context
        self.traits = traits
        model = coordinator.model
    }

    /// The name of the context, for messages.
    var name: String { context.name }

    /// All identity maps, in no particular order.
    var all: Dictionary<String, IdentityMap>.Values { maps.values }

    /// The identity maps in the order of the model's entities.
    var ordered: [IdentityMap] { model.entities.compactMap { maps[$0.name] } }

    /// A Boolean value that indicates whether the context has no objects.
    var isEmpty: Bool { maps.values.allSatisfy(\.isEmpty) }

    /// The identity map of an entity, or `nil` if the context has not used the entity.
    subscript(entity: String) -> IdentityMap? { maps[entity] }

    /// Returns the identity map of an entity, which is created if necessary.
    func identityMap(_ entity: String) throws -> IdentityMap {
        if let identityMap = maps[entity] { return identityMap }
        let description = try model.entity(named: entity)
        let identityMap = IdentityMap(description, in: context, traits(description, model))
        maps[entity] = identityMap
        return identityMap
    }

    /// Returns the identity map of a record type, or of an entity whose records have no Swift type.
    ///
    /// The argument `entity` is evaluated only if the record type alone does not determine the entity.
    func identityMap<Record: ManagedRecord>(of entity: @autoclosure () -> RecordEntity<Record>) throws -> IdentityMap {
        if let identityMap = mapsByType[ObjectIdentifier(Record.self)] { return identityMap }
        let entity = entity()
        let identityMap = try identityMap(entity.name)
        try require(entity, identityMap)
        if Record.declaredEntity != nil { mapsByType[ObjectIdentifier(Record.self)] = identityMap }
        return identityMap
    }

    /// Checks that the context can use a record type for an entity, for calls that create no objects.
    ///
    /// If the record type declares its entity, there is nothing to check.
    func requireKind<Record: ManagedRecord>(of entity: RecordEntity<Record>) throws {
        if Record.declaredEntity == nil { _ = try identityMap(of: entity) }
    }

    /// Checks that the context uses only one record type for all objects of an entity.
    ///
    /// This is the record type that the model has for the entity, or otherwise the record type that was used first.
    private func require<Record: ManagedRecord>(_ entity: RecordEntity<Record>, _ identityMap: IdentityMap) throws {
        if identityMap.kind is RecordEntity<Record> { return try requireColumns(of: entity, identityMap) }
        if let known = identityMap.kind {
            throw PersistenceError(
                .invalidModel,
                "the context uses records of \(known.recordType) for this entity, not of \(Record.self); use only one "
                    + "of these types",
                entity: entity.name)
        }
        if let found = model.registeredType(of: entity.name), found != Record.self {
            throw PersistenceError(
                .invalidModel,
                "the model has the record type \(found) for this entity, not \(Record.self); use \(found), or open the "
                    + "store with a model without record types",
                entity: entity.name)
        }
        try requireColumns(of: entity, identityMap)
        identityMap.setKind(entity)
    }

    /// Checks that an entity whose records have no Swift type has the same columns as in the context's model.
    ///
    /// The entity may come from another model.
    private func requireColumns<Record: ManagedRecord>(
        of entity: RecordEntity<Record>, _ identityMap: IdentityMap
    ) throws {
        guard Record.declaredEntity == nil, !entity.description.hasSameColumns(as: identityMap.entity) else { return }
        throw PersistenceError(
            .invalidModel,
            "the entity belongs to another model with other columns; use the entity of the context's model",
            entity: entity.name)
    }

    /// Returns the entity with a name, with the record type that the context uses for its objects.
    func recordEntity(of name: String) throws -> any AnyRecordEntity {
        try maps[name]?.kind ?? coordinator.recordEntity(of: name)
    }

    /// Stops the program if an object belongs to another context.
    ///
    /// The message names both contexts. If the other context writes to the object at the same moment, the check may
    /// fail to detect the error.
    func require(_ object: ManagedObject) {
        guard let owner = object.ownership.context, owner !== context else { return }
        fatalError(
            "\(object.entityName) \(object.rawID) belongs to the context “\(owner.name)” and was used on “\(name)”; "
                + "pass its id or its record instead")
    }

    /// Sweeps all identity maps after a closure of the context.
    func sweepAfterWork() {
        for identityMap in maps.values { identityMap.sweepAfterWork() }
    }

    /// Removes every object from the context.
    func forgetAll() {
        for identityMap in maps.values { identityMap.forgetAll() }
    }
}
