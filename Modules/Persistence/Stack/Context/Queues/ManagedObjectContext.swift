import Dispatch
import StrataCore

/// A context: objects, their changes, and a queue on which all work with them happens.
///
/// Work happens in closures that receive a ``ConfinedContext``; only `Sendable` values leave them.
///
/// ```swift
/// let names = try await context.perform { context in
///     try context.fetch(FetchRequest<Color>()).map { $0.name }
/// }
/// ```
public actor ManagedObjectContext: SaveListener {
    /// The context's name, for messages.
    public nonisolated let name: String
    /// The context into which this one saves; `nil` if this context saves into the store.
    public nonisolated let parent: ManagedObjectContext?

    nonisolated let coordinator: PersistentStoreCoordinator
    private let executor: QueueExecutor
    private let pendingMerge: PendingMerge
    private let children = SaveSubscribers()
    // SAFETY: accessed only on the executor's queue: in closures of `perform`, and by child contexts, which work on the
    // same queue.
    private nonisolated(unsafe) let working: ConfinedContext

    /// Creates a context over the store.
    init(
        name: String, executor: QueueExecutor, policy: SavePolicy, automaticallyMerges: Bool,
        coordinator: PersistentStoreCoordinator
    ) {
        self.name = name
        self.executor = executor
        self.coordinator = coordinator
        parent = nil
        pendingMerge = PendingMerge(isOpen: automaticallyMerges)
        working = ConfinedContext(
            name: name, policy: policy, coordinator: coordinator, parent: .store,
            identifiers: IdentifierBlocks(coordinator), pendingMerge: pendingMerge, children: children,
            traits: RecordTraits.init(of:in:))
    }

    /// Creates a context over a parent context.
    private init(name: String, mergePolicy: MergePolicy, automaticallyMerges: Bool, parent: ManagedObjectContext) {
        self.name = name
        self.parent = parent
        executor = parent.executor
        coordinator = parent.coordinator
        pendingMerge = PendingMerge(isOpen: automaticallyMerges)
        working = ConfinedContext(
            name: name, policy: SavePolicy(mergePolicy), coordinator: parent.coordinator,
            parent: .context(parent.working),
            identifiers: parent.working.identifiers, pendingMerge: pendingMerge, children: children,
            traits: RecordTraits.init(of:in:))
    }

    /// Returns a new context whose saves become changes of this context.
    ///
    /// Only a save of the outermost context writes to the store. Parent and child work on one queue: contexts of one
    /// tree never wait for each other and never run at the same time. The child keeps its parent alive.
    ///
    /// - Parameters:
    ///   - name: A name for messages.
    ///   - mergePolicy: The policy of a save for properties that the parent changed too, since the child read them.
    ///   - automaticallyMergesChangesFromParent: A Boolean value that indicates whether the child automatically merges
    ///     changes that are saved or merged into its parent.
    /// - Returns: The child context.
    public nonisolated func newChildContext(
        name: String = "child", mergePolicy: MergePolicy = .error, automaticallyMergesChangesFromParent: Bool = false
    ) -> ManagedObjectContext {
        let child = ManagedObjectContext(
            name: name, mergePolicy: mergePolicy, automaticallyMerges: automaticallyMergesChangesFromParent,
            parent: self)
        children.add(child)
        return child
    }

    /// The context's queue as an executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A Boolean value that indicates whether the context works on the main queue.
    public nonisolated var usesMainQueue: Bool { executor === QueueExecutor.main }

    /// The policy of a save for objects that another save changed.
    ///
    /// To change it, set ``ConfinedContext/mergePolicy`` in a closure.
    public var mergePolicy: MergePolicy { working.mergePolicy }

    /// A Boolean value that indicates whether the context automatically merges the saves of other contexts.
    ///
    /// These are the saves into the store, or into the parent of this context. The property can be changed from any
    /// thread. Saves from before the change are not merged later.
    public nonisolated var automaticallyMergesChangesFromParent: Bool {
        get { pendingMerge.isOpen }
        set { pendingMerge.isOpen = newValue }
    }

    /// Runs `body` on the context's queue, without blocking a thread meanwhile.
    ///
    /// Changes that `body` does not save stay in the context, so that a later closure can save them or roll them back.
    /// The same applies to changes if `body` or a save throws or is canceled, as in Core Data. If several requests
    /// share a context, use ``ConfinedContext/transaction(mergePolicy:_:)``, which rolls such changes back.
    ///
    /// - Throws: The error of `body`.
    @discardableResult
    public func perform<Result: Sendable>(_ body: @Sendable (ConfinedContext) throws -> Result) rethrows -> Result {
        working.beginWork()
        defer { working.endWork() }
        return try body(working)
    }

    /// Runs `body` on the context's queue and waits for it.
    ///
    /// If the current thread is on that queue already, `body` runs in place. Inside a closure of another context, only
    /// the main context may wait for a background context. Any other `performAndWait` traps with a message that
    /// contains both names. The check does not see waits through other queues or semaphores, which may deadlock.
    ///
    /// - Throws: The error of `body`.
    @discardableResult
    public nonisolated func performAndWait<Result: Sendable>(
        _ body: @Sendable (ConfinedContext) throws -> Result
    ) rethrows -> Result {
        try executor.wait(for: name) { try assumeIsolated { try $0.perform(body) } }
    }

    /// Runs `body` on a separate context that shares only the queue and the parent of this one.
    ///
    /// Neither context sees the unsaved changes of the other.
    func performApart<Result: Sendable>(_ body: @Sendable (ConfinedContext) throws -> Result) rethrows -> Result {
        working.beginWork()
        defer { working.endWork() }
        let apart = ConfinedContext(
            name: "\(name), repository", policy: SavePolicy(.error), coordinator: coordinator, parent: working.parent,
            identifiers: working.identifiers, pendingMerge: nil, children: SaveSubscribers(),
            traits: RecordTraits.init(of:in:))
        apart.eventSink = working.eventSink
        return try body(apart)
    }

    /// Receives the notice of a save into the store or the parent, and schedules its merge on the context's queue.
    nonisolated func receive(_ changes: MergeNotice, from sender: PendingMerge?) {
        guard sender !== pendingMerge, pendingMerge.add(changes) else { return }
        executor.queue.async { [weak self] in
            self?.assumeIsolated { $0.perform { _ in } }
        }
    }
}
