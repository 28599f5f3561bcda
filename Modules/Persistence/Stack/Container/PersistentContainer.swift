import StrataCore

/// A complete stack: model, store, coordinator and contexts.
///
/// A container is complete after initialization and does not change. A load that fails leaves nothing open.
///
/// ```swift
/// let container = try PersistentContainer(model: model, .sqlite(at: url))
/// defer { try? container.close() }
/// ```
public final class PersistentContainer: Sendable {
    /// The queue of the main context.
    public enum MainQueue: Sendable, Hashable {
        /// The main queue, for programs whose main thread runs a run loop.
        case main
        /// A separate queue, for tools and servers whose main thread runs no run loop.
        case `private`
    }

    /// The model.
    public var model: ManagedObjectModel { coordinator.model }
    /// The coordinator between the contexts and the store.
    public let coordinator: PersistentStoreCoordinator
    /// A context on its own queue, whose changes override the store's values property by property.
    ///
    /// If another object has the unique value of a new object, the save fails, unless a merge policy of the context or
    /// the save specifies otherwise.
    public let backgroundContext: ManagedObjectContext

    let description: PersistentStoreDescription
    let mainQueue: MainQueue
    let batchQueue = BatchQueue()
    private let main = Guarded<ManagedObjectContext?>(nil)

    /// Loads a stack, and blocks the caller's thread meanwhile.
    ///
    /// If the store has another model, it is first migrated as the description specifies.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - description: The store.
    ///   - mainQueue: The queue of the main context.
    /// - Throws: ``PersistenceError`` with the reason if the store cannot be opened; nothing stays open, and an
    ///   existing file is unchanged.
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

    /// The context for a user interface or a request handler, which merges the saves of other contexts.
    ///
    /// It corresponds to Core Data's `viewContext`. It is created on first use.
    public var mainContext: ManagedObjectContext {
        main.withLock { main in
            if let context = main { return context }
            let executor = mainQueue == .main ? QueueExecutor.main : QueueExecutor(name: "main", rank: 1)
            let context = makeContext(named: "main", executor: executor, policy: .error, automaticallyMerges: true)
            main = context
            return context
        }
    }

    /// Creates an additional context on its own queue.
    ///
    /// - Parameters:
    ///   - name: A name for messages.
    ///   - mergePolicy: The handling of objects that another writer changed.
    ///   - automaticallyMergesChangesFromParent: A Boolean value that indicates whether the context automatically
    ///     merges the saves of other contexts.
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

    /// Waits for running saves and fetches, closes the store, and ends ``remoteChanges()``.
    ///
    /// A repeated call has no effect. Every later call that needs the store throws ``PersistenceError/Code/closed``.
    /// Unsaved changes are lost.
    ///
    /// Inside a block that receives rows from the store on this thread, for example in
    /// ``LifecycleHooks/awakeFromFetch(_:in:)``, the method does not wait. The current read then runs to its end. See
    /// <doc:Concurrency>.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` inside a batch's block on the
    ///   same thread; the container then stays open.
    public func close() throws {
        try coordinator.store.close()
        coordinator.remoteChanges.finish()
    }

    /// Closes the container and deletes its store.
    ///
    /// A store in memory ceases to exist. An XML or binary file is deleted even while this thread reads the store,
    /// because the data is in memory.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` if the store is open elsewhere, or if
    ///   this thread still reads it in a database; the container is then closed, and the store still exists. Or the
    ///   errors of ``close()``.
    public func destroyPersistentStore() throws {
        try close()
        try Self.destroyPersistentStore(description)
    }

    /// Deletes a store that is not open.
    ///
    /// If the store does not exist, the method has no effect.
    ///
    /// - Parameters:
    ///   - description: The store.
    ///   - onlyIfEmpty: A Boolean value that indicates whether a store with any row is left unchanged.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` if the store is open elsewhere, or
    ///   ``PersistenceError/Code/invalidRequest`` for a custom store, which only its own type can delete.
    public static func destroyPersistentStore(
        _ description: PersistentStoreDescription, onlyIfEmpty: Bool = false
    ) throws {
        try description.provider.destroy(onlyIfEmpty: onlyIfEmpty, options: description.options)
    }
}
