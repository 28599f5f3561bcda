import StrataCore

/// A context inside a closure of `perform` or `performAndWait`, which reads and changes its objects.
///
/// The context and its objects are not `Sendable`: the compiler ensures that they do not leave the closure. Records and
/// identifiers may leave the closure.
public final class ConfinedContext {
    // The context has no state of its own: it creates its collaborators, each with those on which it depends.
    let propagator: ChangePropagator
    let fetcher: Fetcher
    let inserter: ObjectInserter
    let relationships: RelationshipEditor
    let merger: ContextMerger
    let transactions: TransactionRunner
    /// The collaborator to which child contexts save.
    let receiver: ChildSaveReceiver
    private let saver: ContextSaver

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - name: The name of the context, for messages.
    ///   - policy: The initial policy of its saves.
    ///   - coordinator: The coordinator of the store.
    ///   - parent: The parent context, or `nil` for a context that saves to the store.
    ///   - identifiers: The reserved identifiers.
    ///   - pendingMerge: The notices of other contexts' saves, or `nil` for the separate context of a unit of work.
    ///   - children: The child contexts, which are notified of saves into this context.
    ///   - events: The subscription to the events of the context.
    init(
        name: String, policy: SavePolicy, coordinator: PersistentStoreCoordinator, parent: ConfinedContext?,
        identifiers: IdentifierBlocks, pendingMerge: PendingMerge?, children: SaveSubscribers, events: ContextEvents
    ) {
        let hooks = HookRunner()
        let readAhead = ReadAheadData()
        let pending = PendingChanges(coordinator.counterpartLog, pendingMerge)
        let tracker = ChangeTracker(name: name, hooks: hooks, pending: pending, readAhead: readAhead)
        let registry = ObjectRegistry(coordinator: coordinator, context: tracker, traits: RecordTraits.init(of:in:))
        let reader = ObjectReader(
            registry: registry, pending: pending, readAhead: readAhead, hooks: hooks, coordinator: coordinator,
            parent: parent?.reader)
        propagator = ChangePropagator(
            reader: reader, events: events, parent: parent?.propagator)
        fetcher = Fetcher(propagator)
        inserter = ObjectInserter(propagator, identifiers: identifiers)
        relationships = RelationshipEditor(propagator)
        merger = ContextMerger(propagator, identifiers: identifiers, children: children, parent: parent?.merger)
        let target = SaveTarget(
            registry: registry, parent: parent.map { .context($0.receiver) } ?? .store(coordinator),
            sender: pendingMerge, children: children)
        saver = ContextSaver(propagator, target: target, policy: policy)
        transactions = TransactionRunner(propagator, saver: saver)
        receiver = ChildSaveReceiver(propagator, identifiers: identifiers, children: children)
        hooks.attach(self)
    }

    /// The context's name, for messages.
    public var name: String { registry.name }

    /// The policy that a save applies to objects that another save changed.
    ///
    /// A policy that you set also applies to new objects whose unique values exist already. The initial policy of
    /// ``PersistentContainer/backgroundContext`` applies only to changes of the same object. In that context, a new
    /// object whose unique value another object has makes the save fail.
    public var mergePolicy: MergePolicy {
        get { saver.policy.merging }
        set { saver.use(SavePolicy(newValue)) }
    }

    /// The model of the context's container.
    public var model: ManagedObjectModel { registry.model }

    /// The reader of objects and rows.
    var reader: ObjectReader { propagator.reader }

    /// The identity maps.
    var registry: ObjectRegistry { propagator.registry }

    /// The subscription to the events of the context.
    var events: ContextEvents { propagator.events }

    /// The coordinator of the store.
    var coordinator: PersistentStoreCoordinator { reader.coordinator }

    /// The objects that received a one-to-one counterpart since the last resolution.
    var counterparts: CounterpartState { propagator.pending.counterparts }

    /// Returns the identity map of a record type, or of an entity whose records have no Swift type.
    func identityMap<Record: ManagedRecord>(of entity: RecordEntity<Record>) throws -> IdentityMap {
        try registry.identityMap(of: entity)
    }

    /// Begins a closure of the context.
    func beginWork() { merger.beginWork() }

    /// Ends a closure of the context.
    func endWork() { merger.endWork() }
}
