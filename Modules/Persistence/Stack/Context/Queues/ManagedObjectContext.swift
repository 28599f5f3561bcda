import Dispatch
import StrataCore

/// A context: objects, their changes, and a queue of its own on which all of it happens.
///
/// Work is done in closures that receive a ``ConfinedContext``; only `Sendable` values leave them.
///
/// ```swift
/// let names = try await context.perform { context in
///     try context.fetch(FetchRequest<Color>()).map { $0.name }
/// }
/// ```
public actor ManagedObjectContext: SaveListener {
    /// The context's name, for messages.
    public nonisolated let name: String
    /// The context into which this one saves; `nil` for one that saves into the store.
    public nonisolated let parent: ManagedObjectContext?

    nonisolated let coordinator: PersistentStoreCoordinator
    private let executor: QueueExecutor
    private let pendingMerge: PendingMerge
    private let children = SaveSubscribers()
    // SAFETY: touched on the executor's queue only: in closures of `perform`, and by children, which work on the same queue.
    private nonisolated(unsafe) let working: ConfinedContext

    /// A context over the store.
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

    /// A context over another.
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

    /// A context whose saves become this context's changes; only a save of the outermost one writes to the store.
    ///
    /// Parent and child work on one queue: inside the tree nothing waits, and neither runs beside the other. The child keeps its parent alive.
    ///
    /// - Parameters:
    ///   - name: A name for messages.
    ///   - mergePolicy: What a save does about properties that the parent changed too, since the child read them.
    ///   - automaticallyMergesChangesFromParent: Whether the child takes over what is saved or merged into its parent, by itself.
    /// - Returns: The child.
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

    /// Whether the context works on the main queue.
    public nonisolated var usesMainQueue: Bool { executor === QueueExecutor.main }

    /// What a save does about objects that somebody else changed; set in a closure, by ``ConfinedContext/mergePolicy``.
    public var mergePolicy: MergePolicy { working.mergePolicy }

    /// Whether the context takes over by itself what others save into the store, or into its parent.
    ///
    /// May be changed from any thread; what was saved before is not made up for.
    public nonisolated var automaticallyMergesChangesFromParent: Bool {
        get { pendingMerge.isOpen }
        set { pendingMerge.isOpen = newValue }
    }

    /// Runs `body` on the context's queue, without blocking a thread meanwhile.
    ///
    /// Changes that `body` does not save stay in the context, for a later closure to save or to roll back; so do those of a `body` or a save that
    /// throws or is cancelled, as in Core Data. Whoever shares a context between requests uses ``ConfinedContext/transaction(mergePolicy:_:)``, which takes them back.
    ///
    /// - Throws: What `body` throws.
    @discardableResult
    public func perform<Result: Sendable>(_ body: @Sendable (ConfinedContext) throws -> Result) rethrows -> Result {
        working.beginWork()
        defer { working.endWork() }
        return try body(working)
    }

    /// Runs `body` on the context's queue and waits for it: in place when the thread is on that queue already.
    ///
    /// From inside another context's closure only the main context may wait for a background one; any other `performAndWait` traps, naming
    /// both. What waits by a queue or a semaphore of one's own in between is not seen, and may hang.
    ///
    /// - Throws: What `body` throws.
    @discardableResult
    public nonisolated func performAndWait<Result: Sendable>(
        _ body: @Sendable (ConfinedContext) throws -> Result
    ) rethrows -> Result {
        try executor.wait(for: name) { try assumeIsolated { try $0.perform(body) } }
    }

    /// Runs `body` on a context of its own that shares this one's queue and parent and nothing else, so that neither sees the other's unsaved
    /// changes.
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

    /// Hears of a save into the store or the parent.
    nonisolated func receive(_ changes: MergeNotice, from sender: PendingMerge?) {
        guard sender !== pendingMerge, pendingMerge.add(changes) else { return }
        executor.queue.async { [weak self] in
            self?.assumeIsolated { $0.perform { _ in } }
        }
    }
}
