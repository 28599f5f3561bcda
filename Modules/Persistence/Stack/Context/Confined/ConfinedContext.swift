import StrataCore

/// The confined part of a context, which the closures of `perform` and `performAndWait` work with.
///
/// The context and its objects are not `Sendable`: the compiler ensures that they do not leave the closure. Records and
/// identifiers may leave it.
public final class ConfinedContext: ObjectContext {
    /// The context's name, for messages.
    public let name: String
    /// The policy of a save for objects that another save changed.
    ///
    /// A policy that was set applies in full. The initial policy of ``PersistentContainer/backgroundContext`` applies
    /// only to the versions of one object. There, a new object whose unique value another object has is an error, and
    /// overwrites nothing.
    public var mergePolicy: MergePolicy {
        get { policy.merging }
        set { policy = SavePolicy(newValue) }
    }

    var policy: SavePolicy

    let coordinator: PersistentStoreCoordinator
    let parent: ContextParent
    let identifiers: IdentifierBlocks
    /// The contexts that are notified of saves into this one.
    let children: SaveSubscribers

    private(set) var identityMaps: [String: IdentityMap] = [:]
    private var identityMapsByType: [ObjectIdentifier: IdentityMap] = [:]
    /// A closure that returns the traits of an entity's record type.
    ///
    /// The protocols of the traits are declared in a layer above this one.
    private let traits: (EntityDescription, ManagedObjectModel) -> RecordTraits
    /// The number of the context's closures that are running, one inside the other.
    private var depth = 0

    /// The changes that other contexts saved and that are not merged yet.
    var merges: MergeInbox
    /// The running hooks.
    var hooks = HookState()
    /// The unsaved deletions.
    var deletions = DeletionState()
    /// The objects that took a counterpart in a one-to-one relationship.
    var counterparts = CounterpartState()
    /// The time until which the context knows the holders of one-to-one counterparts.
    var counterpartView: CounterpartLog.View
    /// The writes that no save would reach.
    var detachedWrites = DetachedWrites()
    /// A Boolean value that indicates whether delete rules or the changes of a child are being applied.
    ///
    /// A read must not apply pending changes during that time.
    var isSettling = false
    /// The unsaved changes of many-to-many relationships, by the name of the join table.
    var pendingJoins: [String: PendingJoins] = [:]
    /// The savepoints at the beginning of the running transactions, the outermost first.
    var savepoints: [Savepoint] = []
    /// The object that holds the values of an upserted new object, by entity and the identifier of the new one.
    ///
    /// The entries stay until all objects are forgotten.
    var successors: [String: [Int64: Int64]] = [:]
    /// The objects that the current work read ahead.
    var prefetched = Prefetched()
    /// The greatest sort keys of ordered relationships, as far as the current work needed them.
    var orderedEnds = OrderedEnds()
    /// The receiver of the context's events.
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

    /// The model.
    public var model: ManagedObjectModel { coordinator.model }

    // MARK: Work

    /// Begins a closure of the context.
    ///
    /// If no other closure of the context is running, the context first merges what other contexts saved.
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

    /// Makes the present time of the counterpart log the time until which the context knows the holders.
    func rereadsCounterparts() { counterpartView.time = coordinator.counterpartLog.time }

    /// Ends a closure of the context.
    func endWork() {
        depth -= 1
        guard depth == 0 else { return }
        forgetReadAhead()
        for identityMap in identityMaps.values { identityMap.sweepAfterWork() }
    }

    /// Forgets the objects and keys that were read for later use.
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

    /// Returns the identity map of a record type, or of an entity of records without a static type.
    ///
    /// `entity` is evaluated only if the type alone does not determine it.
    func identityMap<Record: ManagedRecord>(of entity: @autoclosure () -> RecordEntity<Record>) throws -> IdentityMap {
        if let identityMap = identityMapsByType[ObjectIdentifier(Record.self)] { return identityMap }
        let entity = entity()
        let identityMap = try identityMap(entity.name)
        try require(entity, identityMap)
        if Record.declaredEntity != nil { identityMapsByType[ObjectIdentifier(Record.self)] = identityMap }
        return identityMap
    }

    /// Checks that the context can use records of an entity, for calls that need no objects.
    ///
    /// If the record type determines the entity, there is nothing to check.
    func requireKind<Record: ManagedRecord>(of entity: RecordEntity<Record>) throws {
        if Record.declaredEntity == nil { _ = try identityMap(of: entity) }
    }

    /// Checks that all objects of an entity in the context have one record type.
    ///
    /// It is the record type that the model has for the entity, or the one that was requested first.
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

    /// Checks that an entity without a record type has the columns of the context's model.
    ///
    /// Such an entity may come from another model.
    private func requireColumns<Record: ManagedRecord>(
        of entity: RecordEntity<Record>, _ identityMap: IdentityMap
    ) throws {
        guard Record.declaredEntity == nil, !entity.description.hasSameColumns(as: identityMap.entity) else { return }
        throw PersistenceError(
            .invalidModel,
            "the entity belongs to another model with other columns; use the entity of the context's model",
            entity: entity.name)
    }

    /// Returns an entity with the record type that the context uses for it.
    func recordEntity(of name: String) throws -> any AnyRecordEntity {
        try identityMaps[name]?.kind ?? coordinator.recordEntity(of: name)
    }

    /// The identity maps in the model's order.
    var orderedIdentityMaps: [IdentityMap] { model.entities.compactMap { identityMaps[$0.name] } }

    /// Checks that an object is used only in its own context.
    ///
    /// The message of the fatal error names both contexts. The check may fail to detect an object that the other
    /// context writes at the same moment; nothing guards against that.
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
