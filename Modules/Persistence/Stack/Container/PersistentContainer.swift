import StrataCore
import StrataStoreKit

/// A complete persistence stack: a model, an open store, a coordinator and contexts.
///
/// The model, store and coordinator never change after initialization. If the initializer throws, the store is closed.
///
/// ```swift
/// let container = try PersistentContainer(model: model, .sqlite(at: url))
/// defer { try? container.close() }
/// ```
///
/// Create one container for each store, and retain it as long as the process uses the store. Any thread may call the
/// methods. The initializer, the batches and the copies block the calling thread; the asynchronous forms, such as
/// ``load(model:_:mainQueue:)`` and the methods whose names begin with `perform`, do not.
///
/// Work with objects in ``mainContext``, ``backgroundContext`` or a new context. To change or insert many rows without
/// objects, use the batches of the container. Several containers, in one process or in several, may have the same store
/// in a database open. Each container reads what the others saved, but its contexts are notified only of saves through
/// the same container; for other containers, see ``remoteChanges()``.
///
/// ## Topics
///
/// ### Opening and closing a store
///
/// - ``init(model:_:mainQueue:)``
/// - ``MainQueue``
/// - ``load(model:_:mainQueue:)``
/// - ``loading(model:_:mainQueue:)``
/// - ``ContainerLoading``
/// - ``close()``
///
/// ### Contexts
///
/// - ``mainContext``
/// - ``backgroundContext``
/// - ``newBackgroundContext(name:mergePolicy:automaticallyMergesChangesFromParent:)``
///
/// ### Changing and deleting many rows
///
/// - ``batchUpdate(_:where:set:dryRun:)``
/// - ``batchUpdate(_:entity:where:_:dryRun:)``
/// - ``batchDelete(_:where:dryRun:)``
/// - ``batchDelete(_:entity:where:dryRun:)``
/// - ``performBatchUpdate(_:where:set:dryRun:)``
/// - ``performBatchUpdate(_:entity:where:_:dryRun:)``
/// - ``performBatchDelete(_:where:dryRun:)``
/// - ``performBatchDelete(_:entity:where:dryRun:)``
///
/// ### Inserting many rows
///
/// - ``batchInsert(into:_:_:)``
/// - ``batchInsert(_:_:records:)``
/// - ``batchWrite(_:)``
/// - ``performBatchInsert(into:_:_:)``
/// - ``performBatchInsert(_:_:records:)``
/// - ``performBatchWrite(_:)``
///
/// ### Observing
///
/// - ``observe(_:)``
/// - ``observe(_:entity:id:)``
/// - ``observe(_:reading:)``
/// - ``observeChanges(_:)``
/// - ``observeCount(_:)``
/// - ``RecordObservation``
/// - ``CollectionChange``
/// - ``ObservedRecords``
/// - ``remoteChanges()``
///
/// ### Copying and deleting stores
///
/// - ``copyPersistentStore(to:options:)``
/// - ``copyPersistentStore(_:to:model:options:)``
/// - ``replacePersistentStore(_:with:model:options:)``
/// - ``migratePersistentStore(to:options:)``
/// - ``CopyOptions``
/// - ``destroyPersistentStore()``
/// - ``destroyPersistentStore(_:onlyIfEmpty:)``
///
/// ### Checking and migrating stores
///
/// - ``check(model:_:options:_:)``
/// - ``canMigrate(model:_:)``
///
/// ### Metadata
///
/// - ``metadata()``
/// - ``metadata(of:)``
/// - ``metadata(forKey:)``
/// - ``setMetadata(_:)``
///
/// ### Parts of the container
///
/// - ``model``
/// - ``coordinator``
public final class PersistentContainer: Sendable {
    /// The queue of the main context.
    public enum MainQueue: Sendable, Hashable {
        /// The main dispatch queue, for programs whose main thread runs a run loop.
        ///
        /// The closures of the context run only while the main thread runs its run loop or `dispatchMain()`. If the
        /// main thread blocks otherwise, they never run.
        case main
        /// A separate queue, for tools and servers whose main thread runs no run loop.
        ///
        /// A thread of Dispatch runs the closures of the context.
        case `private`
    }

    /// The model with which the store was opened.
    public var model: ManagedObjectModel { coordinator.model }
    /// The coordinator between the contexts and the store.
    ///
    /// Use its ``PersistentStoreCoordinator/store`` to read rows without objects, for example for an export.
    public let coordinator: PersistentStoreCoordinator
    /// A context on a separate queue, whose saves overwrite only the changed properties of objects that another save
    /// changed.
    ///
    /// If another object already has a unique value of a new object, the save fails, unless a merge policy that was set
    /// for the context or the save specifies otherwise.
    ///
    /// The context does not automatically merge the saves of other contexts. The container retains it.
    public let backgroundContext: ManagedObjectContext

    let description: PersistentStoreDescription
    let mainQueue: MainQueue
    let batchQueue = BatchQueue()
    private let main = Guarded<ManagedObjectContext?>(nil)

    /// Opens a store and creates a container, and blocks the caller's thread meanwhile.
    ///
    /// If the store has another model, it is first migrated as ``PersistentStoreDescription/migration`` specifies.
    ///
    /// - Parameters:
    ///   - model: The model of the container.
    ///   - description: The store to open.
    ///   - mainQueue: The queue of the main context.
    /// - Throws: ``PersistenceError`` if the store cannot be opened; the store is then closed, and an existing file is
    ///   unchanged. Common codes are ``PersistenceError/Code/storeNotFound`` if the store does not exist and may not be
    ///   created, ``PersistenceError/Code/incompatibleModel`` and ``PersistenceError/Code/dataLoss`` if it has another
    ///   model and cannot be migrated, ``PersistenceError/Code/locked``, and ``PersistenceError/Code/notADatabase``.
    ///   With code ``PersistenceError/Code/invalidRequest`` if the kind of store does not support an option.
    public init(model: ManagedObjectModel, _ description: PersistentStoreDescription, mainQueue: MainQueue = .main)
        throws
    {
        let meter = description.operationObserver.map {
            OperationMeter($0, kind: description.provider.kind, url: description.url)
        }
        let open = { (_: inout Int) in try Self.open(model, description) }
        coordinator = PersistentStoreCoordinator(
            store: try meter?.report(.open, nil, explain: nil, open) ?? Self.open(model, description),
            rowCache: RowCache(stalenessInterval: description.stalenessInterval, now: description.now), meter: meter,
            author: description.author)
        self.description = description
        self.mainQueue = mainQueue
        backgroundContext = ManagedObjectContext(
            name: "background", executor: QueueExecutor(name: "background"),
            policy: SavePolicy(.mergeByPropertyObjectTrump, upserts: false), automaticallyMerges: false,
            coordinator: coordinator)
        coordinator.contexts.add(backgroundContext)
        if description.announcesChanges { try beginListening() }
    }

    /// The context for a user interface or a request handler, which automatically merges the saves of other contexts.
    ///
    /// It corresponds to Core Data's `viewContext`. It is created on first use.
    ///
    /// Its initial merge policy is ``MergePolicy/error``. The container retains it, and every access returns the same
    /// context.
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
    /// The container does not retain the context. If the caller releases the context, its unsaved changes are lost. A
    /// context does one thing at a time, but several contexts of a container can read concurrently.
    /// - Parameters:
    ///   - name: A name for messages and diagnostics.
    ///   - mergePolicy: The policy for objects that another save changed since this context read them.
    ///   - automaticallyMergesChangesFromParent: A Boolean value that indicates whether the context automatically
    ///     merges the saves of other contexts.
    /// - Returns: The new context.
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
    /// If the container is already closed, the method has no effect. Afterwards every call that needs the store throws
    /// ``PersistenceError/Code/closed``. Unsaved changes are lost.
    ///
    /// If the current thread is inside a closure that receives rows from the store, such as
    /// ``LifecycleHooks/awakeFromFetch(_:in:)``, the method does not wait. The running read then continues to its last
    /// row. See <doc:Concurrency>.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the current thread is
    ///   inside the closure of a batch; the container then stays open.
    public func close() throws {
        try coordinator.store.close()
        coordinator.remoteChanges.finish()
        coordinator.observers.finish()
    }

    /// Closes the container and deletes its store.
    ///
    /// An in-memory store ceases to exist. An XML or binary file is deleted even if the current thread is reading the
    /// store, because its data is in memory.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` if the store is open elsewhere, or if
    ///   the current thread is still reading it from a database. In both cases the container is closed, and the store
    ///   still exists. Also the errors of ``close()``.
    public func destroyPersistentStore() throws {
        try close()
        try Self.destroyPersistentStore(description)
    }

    /// Deletes a store that is not open.
    ///
    /// If the store does not exist, the method has no effect.
    ///
    /// - Parameters:
    ///   - description: The store to delete.
    ///   - onlyIfEmpty: A Boolean value that indicates whether the store is deleted only if it has no rows.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` if the store is open elsewhere, or
    ///   ``PersistenceError/Code/invalidRequest`` for a custom store, which only its own type can delete.
    public static func destroyPersistentStore(
        _ description: PersistentStoreDescription, onlyIfEmpty: Bool = false
    ) throws {
        try description.provider.destroy(onlyIfEmpty: onlyIfEmpty, options: description.options)
    }
}
