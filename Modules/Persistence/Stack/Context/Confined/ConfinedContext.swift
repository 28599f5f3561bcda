import StrataCore

/// A context inside a closure of `perform` or `performAndWait`, which reads and changes its objects.
///
/// The context and its objects are not `Sendable`: the compiler ensures that they do not leave the closure. Records and
/// identifiers may leave the closure.
public final class ConfinedContext: ObjectContext {
    /// The context's name, for messages.
    public let name: String
    /// The policy that a save applies to objects that another save changed.
    ///
    /// A policy that you set also applies to new objects whose unique values exist already. The initial policy of
    /// ``PersistentContainer/backgroundContext`` applies only to changes of the same object. In that context, a new
    /// object whose unique value another object has makes the save fail.
    public var mergePolicy: MergePolicy {
        get { policy.merging }
        set { policy = SavePolicy(newValue) }
    }

    var policy: SavePolicy

    let coordinator: PersistentStoreCoordinator
    let parent: ContextParent
    let identifiers: IdentifierBlocks
    /// The child contexts, which are notified of saves into this context.
    let children: SaveSubscribers

    private(set) var identityMaps: [String: IdentityMap] = [:]
    private var identityMapsByType: [ObjectIdentifier: IdentityMap] = [:]
    /// A closure that returns the traits of an entity's record type.
    ///
    /// The traits depend on protocols that are declared in a higher layer of the module.
    private let traits: (EntityDescription, ManagedObjectModel) -> RecordTraits
    /// The number of nested closures of the context that are running.
    private var depth = 0

    /// The changes that other contexts saved and that this context has not merged yet.
    var merges: MergeInbox
    /// The state of the running hooks.
    var hooks = HookState()
    /// The deletions that are not saved yet.
    var deletions = DeletionState()
    /// The objects that received a one-to-one counterpart since the last resolution.
    var counterparts = CounterpartState()
    /// The time of the counterpart log up to which the context knows which object has each one-to-one counterpart.
    var counterpartView: CounterpartLog.View
    /// The writes to deleted or detached objects, which no save can store.
    var detachedWrites = DetachedWrites()
    /// A Boolean value that indicates whether delete rules or the changes of a child context are being applied.
    ///
    /// While it is `true`, reads must not apply pending changes.
    var isSettling = false
    /// The unsaved changes of many-to-many relationships, by the name of the join table.
    var pendingJoins: [String: PendingJoins] = [:]
    /// The savepoints at the beginning of the running transactions, the outermost first.
    var savepoints: [Savepoint] = []
    /// The identifiers of the existing objects into which new objects were merged, by entity and by identifier of the
    /// new object.
    ///
    /// The entries remain until ``reset()``.
    var successors: [String: [Int64: Int64]] = [:]
    /// The related objects that were prefetched during the running closure.
    var prefetched = Prefetched()
    /// The greatest known sort keys of ordered relationships, as far as the running closure needed them.
    var orderedEnds = OrderedEnds()
    /// A closure that receives the events of the context, for tests.
    var eventSink: (@Sendable (ContextEvent) -> Void)?

    init(
        name: String, policy: SavePolicy, coordinator: PersistentStoreCoordinator, parent: ContextParent,
        identifiers: IdentifierBlocks, pendingMerge: PendingMerge?, children: SaveSubscribers,
        traits: @escaping (EntityDescription, ManagedObjectModel) -> RecordTraits
    ) {
        self.name = name
        self.policy = policy
        self.coordinator = coordinator
        self.parent = parent
        self.identifiers = identifiers
        merges = MergeInbox(pendingMerge)
        self.children = children
        self.traits = traits
        counterpartView = coordinator.counterpartLog.newView()
    }

    /// The model of the context's container.
    public var model: ManagedObjectModel { coordinator.model }

    // MARK: Work

    /// Begins a closure of the context.
    ///
    /// If no other closure of the context is running, the context first merges the changes that other contexts saved.
    func beginWork() {
        if depth == 0 {
            identifiers.beginWork()
            parent.context?.mergeIfIdle()
            mergePending()
            // A context without objects begins to read now.
            if !coordinator.counterpartLog.isOff, identityMaps.values.allSatisfy(\.isEmpty) { rereadsCounterparts() }
        }
        depth += 1
    }

    private func mergePending() {
        guard let pending = merges.pending else { return }
        let time = coordinator.counterpartLog.time
        merge(pending.take())
        if pending.isOpen { counterpartView.time = time }
    }

    /// Records that the context knows all one-to-one counterparts up to the current time of the counterpart log.
    func rereadsCounterparts() { counterpartView.time = coordinator.counterpartLog.time }

    /// Ends a closure of the context.
    func endWork() {
        depth -= 1
        guard depth == 0 else { return }
        forgetReadAhead()
        for identityMap in identityMaps.values { identityMap.sweepAfterWork() }
    }

    /// Discards the prefetched objects and the known sort keys.
    func forgetReadAhead() {
        prefetched = Prefetched()
        orderedEnds.clear()
    }

    private func mergeIfIdle() {
        guard depth == 0 else { return }
        parent.context?.mergeIfIdle()
        mergePending()
    }

    // MARK: Identity maps

    func identityMap(_ entity: String) throws -> IdentityMap {
        if let identityMap = identityMaps[entity] { return identityMap }
        let description = try model.entity(named: entity)
        let identityMap = IdentityMap(description, in: self, traits(description, model))
        identityMaps[entity] = identityMap
        return identityMap
    }

    /// Returns the identity map of a record type, or of an entity whose records have no Swift type.
    ///
    /// The argument `entity` is evaluated only if the record type alone does not determine the entity.
    func identityMap<Record: ManagedRecord>(of entity: @autoclosure () -> RecordEntity<Record>) throws -> IdentityMap {
        if let identityMap = identityMapsByType[ObjectIdentifier(Record.self)] { return identityMap }
        let entity = entity()
        let identityMap = try identityMap(entity.name)
        try require(entity, identityMap)
        if Record.declaredEntity != nil { identityMapsByType[ObjectIdentifier(Record.self)] = identityMap }
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
        try identityMaps[name]?.kind ?? coordinator.recordEntity(of: name)
    }

    /// The identity maps in the order of the model's entities.
    var orderedIdentityMaps: [IdentityMap] { model.entities.compactMap { identityMaps[$0.name] } }

    /// Stops the program if an object belongs to another context.
    ///
    /// The message names both contexts. If the other context writes to the object at the same moment, the check may
    /// fail to detect the error.
    func require(_ object: ManagedObject) {
        guard let owner = object.ownership.context, owner !== self else { return }
        fatalError(
            "\(object.entityName) \(object.rawID) belongs to the context “\(owner.name)” and was used on “\(name)”; "
                + "pass its id or its record instead")
    }

    // MARK: Writes

    func willChange(_ object: ManagedObject) {
        let meaning = hooks.meaning(ofWriteTo: object)
        if meaning == .awakening { return }
        guard let state = object.state.changed else {
            // A rollback must restore the values that were read.
            if object.state == .deleted { object.typed.keepBase() }
            if meaning != .ownHook { detachedWrites.note(object) }
            return
        }
        hooks.round?.touched(object)
        object.wasWritten = true
        guard state != object.state else {
            object.ownership.identityMap?.noticed(object)
            return
        }
        forgetPrefetched(of: object.entityName)
        object.typed.keepBase()
        object.ownership.identityMap?.move(object, to: state)
    }
}
