/// The confined half of a context: what the closures of `perform` and `performAndWait` work with.
///
/// It is not `Sendable`, and neither are its objects: the compiler refuses to let them leave the closure. Records and identifiers may.
public final class ConfinedContext {
    /// The context's name, for messages.
    public let name: String
    /// What a save does about objects that somebody else changed.
    public var mergePolicy: MergePolicy

    let coordinator: PersistentStoreCoordinator
    let parent: ContextParent
    let identifiers: IdentifierBlocks
    /// Where other contexts' saves wait, and by which this context's own are told from theirs; `nil` for a unit of work beside a context.
    let pendingMerge: PendingMerge?
    /// The contexts that hear of what is saved into this one.
    let children: SaveSubscribers

    private(set) var identityMaps: [String: IdentityMap] = [:]
    private var identityMapsByType: [ObjectIdentifier: IdentityMap] = [:]
    private var detachedWrites: [ManagedObject] = []
    /// How many closures of the context are running, one inside the other.
    private var depth = 0
    /// The object whose hook after its fetch is running: what that writes to it is no change.
    private var awakening: ManagedObject?
    /// The object whose hook is running: what that writes to it when it is deleted is nobody's loss.
    private var hooked: ManagedObject?

    /// Why a merge of somebody else's save failed; the next fetch or save says so.
    var mergeFailure: PersistenceError?
    /// What that merge was about; it is tried again.
    var unmerged: MergeNotice?
    /// What was deleted since the delete rules were carried out last.
    var unpropagatedDeletes: [ManagedObject] = []
    /// The objects whose hook before deletion is running.
    var inDeletion: Set<ObjectIdentifier> = []
    /// New objects that were deleted again: who points to them is still subject to the delete rules.
    var discarded: [String: [Int64: ManagedObject]] = [:]
    /// Whether delete rules are being carried out, or a child's changes taken: reading is then no occasion to carry out anything.
    var isSettling = false
    /// Objects that were given a partner in a one-to-one relationship since that was settled last.
    var unsettledPartners: [PartnerChange] = []
    /// With how many of them the outdated ones are taken out.
    var partnerLimit = PartnerChange.leastLimit
    /// What was changed of many-to-many relationships, by the join table's name.
    var pendingJoins: [String: PendingJoins] = [:]
    /// What was read ahead in the work that is going on.
    var prefetched = Prefetched()
    /// Who is told of what the context does.
    var eventSink: (@Sendable (ContextEvent) -> Void)?
    /// While the hooks before a save run: what they touch.
    var hookRound: HookRound?

    init(
        name: String, mergePolicy: MergePolicy, coordinator: PersistentStoreCoordinator, parent: ContextParent,
        identifiers: IdentifierBlocks, pendingMerge: PendingMerge?, children: SaveSubscribers
    ) {
        self.name = name
        self.mergePolicy = mergePolicy
        self.coordinator = coordinator
        self.parent = parent
        self.identifiers = identifiers
        self.pendingMerge = pendingMerge
        self.children = children
    }

    /// The model.
    public var model: ManagedObjectModel { coordinator.model }

    // MARK: Work

    /// Called before a closure of the context runs: takes over what others saved, unless that would change objects under another closure.
    func beginWork() {
        if depth == 0 {
            parent.context?.mergeIfIdle()
            if let pendingMerge { merge(pendingMerge.take()) }
        }
        depth += 1
    }

    /// Called after a closure of the context ran.
    func endWork() {
        depth -= 1
        guard depth == 0 else { return }
        prefetched = Prefetched()
        for identityMap in identityMaps.values { identityMap.sweepAfterWork() }
    }

    private func mergeIfIdle() {
        guard depth == 0 else { return }
        parent.context?.mergeIfIdle()
        if let pendingMerge { merge(pendingMerge.take()) }
    }

    // MARK: Identity maps

    func identityMap(_ entity: String) throws -> IdentityMap {
        if let identityMap = identityMaps[entity] { return identityMap }
        let description = try model.entity(named: entity)
        let traits = RecordTraits(model.registeredType(of: entity), description)
        let identityMap = IdentityMap(description, in: self, traits)
        identityMaps[entity] = identityMap
        return identityMap
    }

    func identityMap<Record: PersistentRecord>(of type: Record.Type) throws -> IdentityMap {
        if let identityMap = identityMapsByType[ObjectIdentifier(type)] { return identityMap }
        let identityMap = try identityMap(Record.entity.name)
        identityMapsByType[ObjectIdentifier(type)] = identityMap
        return identityMap
    }

    /// The identity maps in the model's order.
    var orderedIdentityMaps: [IdentityMap] { model.entities.compactMap { identityMaps[$0.name] } }

    /// Every object of the context must be used there and nowhere else.
    func require(_ object: ManagedObject) {
        guard let owner = object.ownership.context, owner !== self else { return }
        fatalError(
            "\(object.entityName) \(object.rawID) belongs to the context “\(owner.name)” and was used on “\(name)”; "
                + "pass its id or its record instead")
    }

    // MARK: Writes

    func willChange(_ object: ManagedObject) {
        if object === awakening { return }
        guard let state = object.state.changed else {
            // A rollback brings the object back as it was read.
            if object.state == .deleted { object.keepBase() }
            if object !== hooked, !detachedWrites.contains(where: { $0 === object }) { detachedWrites.append(object) }
            return
        }
        hookRound?.touched(object)
        object.wasWritten = true
        guard state != object.state else {
            object.ownership.identityMap?.noticed(object)
            return
        }
        forgetPrefetched(of: object.entityName)
        object.keepBase()
        object.ownership.identityMap?.move(object, to: state)
    }

    /// Runs an object's hook after its fetch; what it writes to the object is no change.
    func awaken(_ object: ManagedObject) throws {
        let outer = awakening
        awakening = object
        defer { awakening = outer }
        try object.run(.awakeFromFetch)
    }

    /// Runs an object's hook, which may write to the object when it is deleted.
    func run(_ hook: LifecycleHook, on object: ManagedObject) throws {
        let outer = hooked
        hooked = object
        defer { hooked = outer }
        try object.run(hook)
    }

    /// Writes to objects that no save would reach are errors, once.
    func throwDetachedWrites() throws {
        guard let first = detachedWrites.first else { return }
        detachedWrites = []
        throw PersistenceError(
            .detachedObject,
            "object \(first.rawID) was written to after it was deleted or its context was reset; the write is lost",
            entity: first.entityName)
    }

    func throwMergeFailure() throws {
        guard let failure = mergeFailure else { return }
        mergeFailure = nil
        throw failure
    }

    var hasDetachedWrites: Bool { !detachedWrites.isEmpty }

    func forgetDetachedWrites() { detachedWrites = [] }
}
