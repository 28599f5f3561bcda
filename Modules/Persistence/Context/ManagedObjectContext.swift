import Dispatch

/// A context: objects, their changes, and a queue of its own on which all of it happens.
///
/// Work is done in closures that receive the confined ``WorkingContext``; only `Sendable` values leave them.
///
/// ```swift
/// let names = try await context.perform { context in
///     try context.fetch(FetchRequest<Color>()).map { $0.name }
/// }
/// ```
public actor ManagedObjectContext {
    /// The context's name, for messages.
    public nonisolated let name: String
    /// Whether the context takes over what others save, by itself.
    public nonisolated let automaticallyMergesChangesFromParent: Bool

    private let executor: QueueExecutor
    private let mailbox: MergeMailbox
    nonisolated let coordinator: PersistentStoreCoordinator
    private let identifiers: IdentifierBlocks
    private let working: WorkingContext

    init(
        name: String, executor: QueueExecutor, mergePolicy: MergePolicy, automaticallyMerges: Bool,
        coordinator: PersistentStoreCoordinator
    ) {
        self.name = name
        self.executor = executor
        self.coordinator = coordinator
        automaticallyMergesChangesFromParent = automaticallyMerges
        mailbox = MergeMailbox()
        identifiers = IdentifierBlocks(coordinator)
        working = WorkingContext(
            name: name, mergePolicy: mergePolicy, coordinator: coordinator, identifiers: identifiers, mailbox: mailbox)
    }

    /// The context's queue as an executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Whether the context works on the main queue.
    public nonisolated var usesMainQueue: Bool { executor === QueueExecutor.main }

    /// What a save does about objects that somebody else changed.
    public var mergePolicy: MergePolicy { working.mergePolicy }

    /// Runs `body` on the context's queue, without blocking a thread meanwhile.
    ///
    /// - Throws: What `body` throws.
    public func perform<Result: Sendable>(_ body: @Sendable (WorkingContext) throws -> Result) rethrows -> Result {
        mergePending()
        return try body(working)
    }

    /// Runs `body` on the context's queue and waits for it: in place when the thread is on that queue already.
    ///
    /// From inside another context's closure only the main context may wait for a background one; any other `performAndWait` traps, naming
    /// both. What waits by a queue or a semaphore of one's own in between is not seen, and may hang.
    ///
    /// - Throws: What `body` throws.
    public nonisolated func performAndWait<Result: Sendable>(
        _ body: @Sendable (WorkingContext) throws -> Result
    ) rethrows -> Result {
        try executor.wait { try assumeIsolated { try $0.perform(body) } }
    }

    /// Runs `body` on a context of its own that shares this one's queue and store and nothing else, so that neither sees the other's unsaved
    /// changes.
    func performApart<Result: Sendable>(_ body: @Sendable (WorkingContext) throws -> Result) rethrows -> Result {
        mergePending()
        return try body(
            WorkingContext(
                name: "\(name), repository", mergePolicy: .error, coordinator: coordinator, identifiers: identifiers,
                mailbox: nil))
    }

    /// Takes over what waits in the mailbox; called at the beginning of all work, and by the queue when a save is announced.
    private func mergePending() {
        working.merge(mailbox.take())
    }

    /// Hears of another context's save.
    nonisolated func receive(_ changes: SavedChanges, from sender: MergeMailbox?) {
        guard automaticallyMergesChangesFromParent, sender !== mailbox, mailbox.add(changes) else { return }
        executor.queue.async { [weak self] in
            self?.assumeIsolated { $0.mergePending() }
        }
    }
}
