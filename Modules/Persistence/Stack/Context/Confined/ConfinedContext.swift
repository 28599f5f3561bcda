import StrataCore

/// The confined half of a context: what the closures of `perform` and `performAndWait` work with.
///
/// It is not `Sendable`, and neither are its objects: the compiler refuses to let them leave the closure. Records and identifiers may.
public final class ConfinedContext: ObjectContext {
    /// The context's name, for messages.
    public let name: String
    /// What a save does about objects that somebody else changed.
    ///
    /// Setting it asks for all that it says. That of ``PersistentContainer/backgroundContext`` decides about versions of one object only, as long as it was
    /// not set: a new object whose unique value another object has is an error there, and overwrites nothing.
    public var mergePolicy: MergePolicy {
        get { policy.merging }
        set { policy = SavePolicy(newValue) }
    }

    var policy: SavePolicy

    let coordinator: PersistentStoreCoordinator
    let parent: ContextParent
    let identifiers: IdentifierBlocks
    /// The contexts that hear of what is saved into this one.
    let children: SaveSubscribers

    private(set) var identityMaps: [String: IdentityMap] = [:]
    private var identityMapsByType: [ObjectIdentifier: IdentityMap] = [:]
    /// What the record type of an entity opted into; the types' protocols stand above this.
    private let traits: (EntityDescription, ManagedObjectModel) -> RecordTraits
    /// How many closures of the context are running, one inside the other.
    private var depth = 0

    /// What others saved and is not taken over yet.
    var merges: MergeInbox
    /// Which hooks are running.
    var hooks = HookState()
    /// What was deleted and not saved.
    var deletions = DeletionState()
    /// Who took a partner in a one-to-one relationship.
    var partners = PartnerState()
    /// Until when the context knows who has which partner.
    var partnerView: PartnerLog.View
    /// Writes that no save would reach.
    var detachedWrites = DetachedWrites()
    /// Whether delete rules are being carried out, or a child's changes taken: reading is then no occasion to carry out anything.
    var isSettling = false
    /// What was changed of many-to-many relationships, by the join table's name.
    var pendingJoins: [String: PendingJoins] = [:]
    /// Where each transaction that is going on began, the outermost first.
    var savepoints: [Savepoint] = []
    /// Which object holds the values of a new one that was upserted, by entity and identifier; until all objects are forgotten.
    var successors: [String: [Int64: Int64]] = [:]
    /// What was read ahead in the work that is going on.
    var prefetched = Prefetched()
    /// Where ordered relationships end, as far as the work that is going on has asked.
    var orderedEnds = OrderedEnds()
    /// Who is told of what the context does.
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
        partnerView = coordinator.partnerLog.newView()
    }

    /// The model.
    public var model: ManagedObjectModel { coordinator.model }

    // MARK: Work

    /// Called before a closure of the context runs: takes over what others saved, unless that would change objects under another closure.
    func beginWork() {
        if depth == 0 {
            identifiers.beginWork()
            parent.context?.mergeIfIdle()
            mergePending()
            // Who has nothing begins to read.
            if !coordinator.partnerLog.isOff, identityMaps.values.allSatisfy(\.isEmpty) { readsPartnersAnew() }
        }
        depth += 1
    }

    private func mergePending() {
        guard let pending = merges.pending else { return }
        let time = coordinator.partnerLog.time
        merge(pending.take())
        if pending.isOpen { partnerView.time = time }
    }

    /// Takes for known whatever was saved until now.
    func readsPartnersAnew() { partnerView.time = coordinator.partnerLog.time }

    /// Called after a closure of the context ran.
    func endWork() {
        depth -= 1
        guard depth == 0 else { return }
        forgetReadAhead()
        for identityMap in identityMaps.values { identityMap.sweepAfterWork() }
    }

    /// Forgets what was read to answer later questions.
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

    /// The identity map of a record type, or of the entity of records without one.
    ///
    /// The entity is asked for only where the type alone does not say it.
    func identityMap<Record: ManagedRecord>(of entity: @autoclosure () -> RecordEntity<Record>) throws -> IdentityMap {
        if let identityMap = identityMapsByType[ObjectIdentifier(Record.self)] { return identityMap }
        let entity = entity()
        let identityMap = try identityMap(entity.name)
        try require(entity, identityMap)
        if Record.declaredEntity != nil { identityMapsByType[ObjectIdentifier(Record.self)] = identityMap }
        return identityMap
    }

    /// Whether records of an entity may be asked for, where the type does not say it; before what needs no objects.
    func requireKind<Record: ManagedRecord>(of entity: RecordEntity<Record>) throws {
        if Record.declaredEntity == nil { _ = try identityMap(of: entity) }
    }

    /// All objects that a context has of an entity are of one kind: of the record type that the model has for it, or of what is asked for first.
    private func require<Record: ManagedRecord>(_ entity: RecordEntity<Record>, _ identityMap: IdentityMap) throws {
        if identityMap.kind is RecordEntity<Record> { return try requireColumns(of: entity, identityMap) }
        if let known = identityMap.kind {
            throw PersistenceError(
                .invalidModel,
                "the context has it as records of \(known.recordType), and not of \(Record.self); use one of them",
                entity: entity.name)
        }
        if let found = model.registeredType(of: entity.name), found != Record.self {
            throw PersistenceError(
                .invalidModel,
                "the model has \(found) for this entity, and not \(Record.self); use that, "
                    + "or open the store with a model without record types",
                entity: entity.name)
        }
        try requireColumns(of: entity, identityMap)
        identityMap.setKind(entity)
    }

    /// The entity of records without a type may come from anywhere.
    private func requireColumns<Record: ManagedRecord>(
        of entity: RecordEntity<Record>, _ identityMap: IdentityMap
    ) throws {
        guard Record.declaredEntity == nil, !entity.description.hasSameColumns(as: identityMap.entity) else { return }
        throw PersistenceError(
            .invalidModel, "the entity is another model's, with other columns; ask the context's model for it",
            entity: entity.name)
    }

    /// An entity with the kind of records that the context has of it.
    func recordEntity(of name: String) throws -> any AnyRecordEntity {
        try identityMaps[name]?.kind ?? coordinator.recordEntity(of: name)
    }

    /// The identity maps in the model's order.
    var orderedIdentityMaps: [IdentityMap] { model.entities.compactMap { identityMaps[$0.name] } }

    /// Every object of the context must be used there and nowhere else.
    ///
    /// What is wrong is named; not surely where the other context writes the object at this very moment, which nothing guards.
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
            // A rollback brings the object back as it was read.
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
