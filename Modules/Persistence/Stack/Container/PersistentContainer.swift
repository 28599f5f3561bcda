import StrataCore

/// A whole stack: model, store, coordinator and contexts.
///
/// Once it exists it is complete and does not change; a load that fails leaves nothing.
///
/// ```swift
/// let container = try PersistentContainer(model: model, .sqlite(at: url))
/// defer { try? container.close() }
/// ```
public final class PersistentContainer: Sendable {
    /// Where the main context works.
    public enum MainQueue: Sendable, Hashable {
        /// On the main queue: for programs whose main thread runs a loop.
        case main
        /// On a queue of its own: for tools and servers, whose main thread does not.
        case `private`
    }

    /// The model.
    public var model: ManagedObjectModel { coordinator.model }
    /// What stands between contexts and store.
    public let coordinator: PersistentStoreCoordinator
    /// A context on a queue of its own, whose changes win over the store's property by property.
    ///
    /// A new object whose unique value another object has is an error of its save, unless a merge policy is set or given that says otherwise.
    public let backgroundContext: ManagedObjectContext

    let description: PersistentStoreDescription
    let mainQueue: MainQueue
    let batchQueue = BatchQueue()
    private let main = Guarded<ManagedObjectContext?>(nil)

    /// Loads a stack; a store that was made with another model follows first, as the description says, while the caller's thread waits.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - description: The store.
    ///   - mainQueue: Where the main context works.
    /// - Throws: ``PersistenceError`` that says why the store cannot be opened; nothing is left open, and a file that was there is as before.
    public init(model: ManagedObjectModel, _ description: PersistentStoreDescription, mainQueue: MainQueue = .main)
        throws
    {
        coordinator = PersistentStoreCoordinator(
            store: try description.open(model),
            rowCache: RowCache(stalenessInterval: description.stalenessInterval, now: description.now))
        self.description = description
        self.mainQueue = mainQueue
        backgroundContext = ManagedObjectContext(
            name: "background", executor: QueueExecutor(name: "background"),
            policy: SavePolicy(.mergeByPropertyObjectTrump, upserts: false), automaticallyMerges: false,
            coordinator: coordinator)
        coordinator.contexts.add(backgroundContext)
        if description.announcesChanges { try beginListening() }
    }

    /// The context for a user interface or a request handler: takes over what others save.
    ///
    /// Core Data's `viewContext`. Made on first use.
    public var mainContext: ManagedObjectContext {
        main.withLock { main in
            if let context = main { return context }
            let executor = mainQueue == .main ? QueueExecutor.main : QueueExecutor(name: "main", rank: 1)
            let context = makeContext(named: "main", executor: executor, policy: .error, automaticallyMerges: true)
            main = context
            return context
        }
    }

    /// A further context on a queue of its own.
    ///
    /// - Parameters:
    ///   - name: A name for messages.
    ///   - mergePolicy: What a save does about objects that somebody else changed.
    ///   - automaticallyMergesChangesFromParent: Whether it takes over what others save, by itself.
    /// - Returns: The context.
    public func newBackgroundContext(
        name: String = "context", mergePolicy: MergePolicy = .error, automaticallyMergesChangesFromParent: Bool = false
    ) -> ManagedObjectContext {
        makeContext(
            named: name, executor: QueueExecutor(name: name), policy: mergePolicy,
            automaticallyMerges: automaticallyMergesChangesFromParent)
    }

    private func makeContext(
        named name: String, executor: QueueExecutor, policy: MergePolicy, automaticallyMerges: Bool
    ) -> ManagedObjectContext {
        let context = ManagedObjectContext(
            name: name, executor: executor, policy: SavePolicy(policy), automaticallyMerges: automaticallyMerges,
            coordinator: coordinator)
        coordinator.contexts.add(context)
        return context
    }

    /// Waits for saves and fetches under way, closes the store, and ends ``remoteChanges()``.
    ///
    /// Calling it again does nothing; every later call that needs the store throws ``PersistenceError/Code/closed``.
    /// Changes that were not saved are lost.
    ///
    /// From inside a block that the store is giving rows to on this thread, as ``LifecycleHooks/awakeFromFetch(_:in:)`` is, it waits for nothing, and what
    /// is being read is read to its end. See <doc:Concurrency>.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` from inside a batch's block on the same thread; the container is
    ///   then open as before.
    public func close() throws {
        try coordinator.store.close()
        coordinator.remoteChanges.finish()
    }

    /// Closes the container and removes its store.
    ///
    /// A store in memory is simply gone, and so is one in an XML or a binary file while this thread reads it: what is read is in memory.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` when somebody else has the store open, or this thread is still reading it in
    ///   a database; the container is then closed, and the store is there. Or as ``close()``.
    public func destroyPersistentStore() throws {
        try close()
        try Self.destroyPersistentStore(description)
    }

    /// Removes a store that is not open.
    ///
    /// Where there is none, nothing happens.
    ///
    /// - Parameters:
    ///   - description: The store.
    ///   - onlyIfEmpty: Whether a store that holds any row is left as it is.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` when somebody has the store open, or
    ///   ``PersistenceError/Code/invalidRequest`` for a store of another kind, which only its own type can remove.
    public static func destroyPersistentStore(
        _ description: PersistentStoreDescription, onlyIfEmpty: Bool = false
    ) throws {
        try description.provider.destroy(onlyIfEmpty: onlyIfEmpty, options: description.options)
    }
}
