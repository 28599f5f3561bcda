import Dispatch
import StrataCore

/// A set of objects with their unsaved changes, and the queue on which code uses these objects.
///
/// Code uses the objects in closures that receive a ``ConfinedContext``. Only `Sendable` values can leave the closures.
///
/// ```swift
/// let names = try await context.perform { context in
///     try context.fetch(FetchRequest<Color>()).map { $0.name }
/// }
/// ```
///
/// A context that ``PersistentContainer`` creates saves to the store, and a child context saves to its parent. The
/// context is an actor whose executor is its queue: each closure has the context for itself, and closures run in the
/// order in which the queue receives them. Between two closures, the context retains objects with unsaved changes, and
/// releases the others.
///
/// Choose a method by what must happen to the changes of its closure:
///
/// - ``perform(_:)`` and ``performAndWait(_:)`` leave the changes in the context until a closure saves them or rolls
///   them back.
/// - ``performTransaction(mergePolicy:_:)`` saves the changes at the end, and rolls them back after an error.
/// - `transaction(mergePolicy:_:)`, ``insert(into:_:)`` and ``update(in:id:_:)`` work on records in a separate context
///   and save the changes. They neither read nor save the unsaved changes of this context.
///
/// A closure blocks the queue until it returns, and so do the calls of the store in it. Do not wait in a closure for
/// other tasks. For the permitted waits between contexts, see <doc:Concurrency>.
///
/// ## Topics
///
/// ### Running code on the queue
///
/// - ``perform(_:)``
/// - ``performAndWait(_:)``
/// - ``unownedExecutor``
/// - ``usesMainQueue``
///
/// ### Units of work on objects
///
/// - ``performTransaction(mergePolicy:_:)``
/// - ``performTransaction(retrying:mergePolicy:clock:_:)``
/// - ``performTransactionAndWait(mergePolicy:_:)``
///
/// ### Units of work on records
///
/// - ``transactionReportingChanges(mergePolicy:_:)``
/// - ``insert(into:_:)``
/// - ``update(in:id:_:)``
///
/// ### Fetching records
///
/// - ``fetch(_:)``
/// - ``count(_:)``
/// - ``stream(_:)``
/// - ``observe(_:)``
///
/// ### Merging saves of other contexts
///
/// - ``automaticallyMergesChangesFromParent``
/// - ``mergePolicy``
///
/// ### Parents and children
///
/// - ``parent``
/// - ``newChildContext(name:mergePolicy:automaticallyMergesChangesFromParent:)``
/// - ``name``
public actor ManagedObjectContext: SaveListener {
    /// The name of the context, for messages.
    public nonisolated let name: String
    /// The parent context, which receives the saves of this context, or `nil` if this context saves to the store.
    ///
    /// A child reads through its parent, including the parent's unsaved changes.
    public nonisolated let parent: ManagedObjectContext?

    nonisolated let coordinator: PersistentStoreCoordinator
    private let executor: QueueExecutor
    private let pendingMerge: PendingMerge
    private let children = SaveSubscribers()
    /// The signals of the values that are observed in the tree of contexts to which this one belongs.
    nonisolated let observed: ContextSignals
    // SAFETY: accessed only on the executor's queue: in closures of `perform`, and by child contexts, which work on the
    // same queue.
    private nonisolated(unsafe) let working: ConfinedContext

    /// Creates a context that saves to the store.
    init(
        name: String, executor: QueueExecutor, policy: SavePolicy, automaticallyMerges: Bool,
        coordinator: PersistentStoreCoordinator
    ) {
        self.name = name
        self.executor = executor
        self.coordinator = coordinator
        parent = nil
        observed = ContextSignals()
        pendingMerge = PendingMerge(isOpen: automaticallyMerges)
        working = ConfinedContext(
            name: name, policy: policy, coordinator: coordinator, parent: nil,
            identifiers: IdentifierBlocks(coordinator), pendingMerge: pendingMerge, children: children,
            events: ContextEvents())
    }

    /// Creates a context that saves to a parent context.
    private init(name: String, mergePolicy: MergePolicy, automaticallyMerges: Bool, parent: ManagedObjectContext) {
        self.name = name
        self.parent = parent
        observed = parent.observed
        executor = parent.executor
        coordinator = parent.coordinator
        pendingMerge = PendingMerge(isOpen: automaticallyMerges)
        working = ConfinedContext(
            name: name, policy: SavePolicy(mergePolicy), coordinator: parent.coordinator,
            parent: parent.working,
            identifiers: parent.working.inserter.identifiers, pendingMerge: pendingMerge, children: children,
            events: ContextEvents())
    }

    /// Creates a child context, whose saves become unsaved changes of this context.
    ///
    /// Only a save of the outermost context writes to the store. Parent and child use one queue: contexts of one tree
    /// never wait for each other and never run at the same time. The child retains its parent.
    ///
    /// - Parameters:
    ///   - name: A name for messages and diagnostics.
    ///   - mergePolicy: The policy for properties that both this child and its parent changed since the child read
    ///     them.
    ///   - automaticallyMergesChangesFromParent: A Boolean value that indicates whether the child automatically merges
    ///     changes that its parent receives from other saves and merges.
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
    ///
    /// Because of this executor, isolated code of the actor runs on the queue, and never at the same time as a closure
    /// of the context.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A Boolean value that indicates whether the context's queue is the main queue.
    ///
    /// The children of such a context use the main queue, too.
    public nonisolated var usesMainQueue: Bool { executor === QueueExecutor.main }

    /// The policy that a save applies to objects that another save changed.
    ///
    /// To change the policy, set ``ConfinedContext/mergePolicy`` in a closure of the context.
    public var mergePolicy: MergePolicy { working.mergePolicy }

    /// A Boolean value that indicates whether the context automatically merges the saves of other contexts.
    ///
    /// The other contexts are those with the same parent, which is the store or a context. The property can be set on
    /// any thread. Saves that happened before it is set to `true` are not merged.
    public nonisolated var automaticallyMergesChangesFromParent: Bool {
        get { pendingMerge.isOpen }
        set { pendingMerge.isOpen = newValue }
    }

    /// Runs `body` on the context's queue, without blocking a thread while it waits.
    ///
    /// Changes that `body` does not save remain in the context, so that a later closure can save them or roll them
    /// back. As in Core Data, they also remain if `body` or a save throws an error or is canceled. If several requests
    /// share a context, use ``ConfinedContext/transaction(mergePolicy:_:)``, which rolls back such changes.
    ///
    /// At its beginning, the closure merges the saves of other contexts if ``automaticallyMergesChangesFromParent`` is
    /// `true`. During the closure, no such merge happens, so that unchanged objects keep their values until they are
    /// fetched again.
    ///
    /// - Parameter body: The work. Its argument is valid only inside the closure.
    /// - Returns: The result of `body`, which is `Sendable`: return records or identifiers, not objects.
    /// - Throws: The error of `body`.
    @discardableResult
    public func perform<Result: Sendable>(_ body: @Sendable (ConfinedContext) throws -> Result) rethrows -> Result {
        defer { observed.touch() }
        return try performUnobserved(body)
    }

    /// Runs `body` on the context's queue for an observer, which is not itself notified of it.
    func performUnobserved<Result: Sendable>(
        _ body: @Sendable (ConfinedContext) throws -> Result
    ) rethrows -> Result {
        working.beginWork()
        defer { working.endWork() }
        return try body(working)
    }

    /// Runs `body` on the context's queue and waits for its end.
    ///
    /// If the current thread is on that queue already, `body` runs immediately. Inside a closure of another context,
    /// this method may only be called if that context is the main context and this one is a background context. Any
    /// other call inside a closure stops the program with a message that contains both names. The check does not detect
    /// waits through other queues or semaphores, which may deadlock.
    ///
    /// Do not call this method from an asynchronous function, because it blocks a thread of Swift concurrency; use
    /// ``perform(_:)`` there.
    ///
    /// - Parameter body: The work. Its argument is valid only inside the closure.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    @discardableResult
    public nonisolated func performAndWait<Result: Sendable>(
        _ body: @Sendable (ConfinedContext) throws -> Result
    ) rethrows -> Result {
        try executor.wait(for: name) { try assumeIsolated { try $0.perform(body) } }
    }

    /// Runs `body` with a separate context that has the same queue and parent as this one.
    ///
    /// Neither context reads the unsaved changes of the other.
    func performApart<Result: Sendable>(_ body: @Sendable (ConfinedContext) throws -> Result) rethrows -> Result {
        defer { observed.touch() }
        working.beginWork()
        defer { working.endWork() }
        let apart = ConfinedContext(
            name: "\(name), repository", policy: SavePolicy(.error), coordinator: coordinator,
            parent: parent?.working, identifiers: working.inserter.identifiers, pendingMerge: nil,
            children: SaveSubscribers(), events: working.events)
        return try body(apart)
    }

    /// Receives the notice of a save to the store or the parent context, and schedules the merge of the notice on this
    /// context's queue.
    nonisolated func receive(_ changes: MergeNotice, from sender: PendingMerge?) {
        guard sender !== pendingMerge, pendingMerge.add(changes) else { return }
        executor.queue.async { [weak self] in
            self?.assumeIsolated { $0.perform { _ in } }
        }
    }
}

extension ManagedObjectContext {
    /// Passes every event that the context has from now on to `sink`, on the context's queue.
    ///
    /// The events of the context's repositories are included.
    package nonisolated func record(_ sink: @escaping @Sendable (ContextEvent) -> Void) {
        performAndWait { $0.events.subscribe(sink) }
    }
}
