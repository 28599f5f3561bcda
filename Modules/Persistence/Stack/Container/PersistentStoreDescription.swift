public import Foundation
public import StrataCore
public import StrataStoreKit

/// The kind, location and options of the store that a container opens.
///
/// A description does not open the store. The same value can be passed to several containers, and to the methods that
/// copy, check or delete a store.
///
/// ```swift
/// var description = PersistentStoreDescription.sqlite(at: url)
/// description.durability = .full
/// ```
///
/// A store in a SQLite file supports all options, and an XML or binary file all except ``announcesChanges``. If a kind
/// of store cannot be read-only, durable or announce changes although the description requires it, opening the store
/// throws an error with code ``PersistenceError/Code/invalidRequest``.
///
/// ## Topics
///
/// ### Kinds of stores
///
/// - ``sqlite(at:)``
/// - ``xml(at:)``
/// - ``binary(at:)``
/// - ``file(at:)``
/// - ``inMemory``
/// - ``inMemory(copyOf:)``
/// - ``custom(_:open:)``
/// - ``init(_:)``
///
/// ### Access
///
/// - ``isReadOnly``
/// - ``readOnly``
/// - ``createsStore``
/// - ``busyTimeout``
/// - ``durability``
///
/// ### Migration
///
/// - ``migration``
/// - ``migrationPlan``
///
/// ### Changes of other processes
///
/// - ``announcesChanges``
/// - ``stalenessInterval``
///
/// ### History
///
/// - ``history``
/// - ``author``
///
/// ### Logs, metrics and traces
///
/// - ``operationObserver``
///
/// ### Properties of the store
///
/// - ``url``
/// - ``maximumColumns``
public struct PersistentStoreDescription: Sendable {
    let provider: any StoreProvider
    private(set) var options = StoreOptions()

    /// A Boolean value that indicates whether the store is opened read-only; only for stores in files.
    ///
    /// The default is `false`. A save or a batch in a read-only store throws ``PersistenceError/Code/readOnly``. A
    /// store in memory cannot be opened read-only.
    public var isReadOnly: Bool {
        get { options.isReadOnly }
        set { options.isReadOnly = newValue }
    }

    /// A Boolean value that indicates whether opening the store creates it if it is missing.
    ///
    /// The default is `true`. If the value is `false` and the store is missing, opening it throws
    /// ``PersistenceError/Code/storeNotFound``.
    public var createsStore: Bool {
        get { options.createsStore }
        set { options.createsStore = newValue }
    }

    /// The maximum time to wait for a lock that another process or connection holds on the store.
    ///
    /// The default is 5 seconds. After this time, the waiting call throws ``PersistenceError/Code/locked``. The wait
    /// blocks the thread of the call, such as the queue of the context that saves.
    public var busyTimeout: Duration {
        get { options.busyTimeout }
        set { options.busyTimeout = newValue }
    }

    /// The guarantee that completed saves survive a power failure, for stores in files.
    ///
    /// The default is ``Durability/normal``.
    public var durability: Durability {
        get { options.durability }
        set { options.durability = newValue }
    }

    /// The handling of a store that has another model (default: migrate, and delete no data).
    ///
    /// A store that is opened read-only is never migrated. If only rules, defaults and similar parts of the model
    /// differ, the read-only store is read with the container's model.
    public var migration: MigrationOptions {
        get { options.migration }
        set {
            let route = options.migration.route
            options.migration = newValue
            options.migration.route = newValue.route ?? route
        }
    }

    /// A Boolean value that indicates whether the container exchanges change notifications with other containers of its
    /// store.
    ///
    /// If it is `true`, the container notifies the other containers which entities it changes, and receives their
    /// notifications. The default is `false`. The property corresponds to Core Data's
    /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
    ///
    /// Set the property for every container that writes to the store; changes of the others are not announced. The
    /// property has a cost: each transaction also writes a description of its changes.
    /// ``PersistentContainer/remoteChanges()`` reports the changes. A read-only container only receives notifications.
    ///
    /// A store on a PostgreSQL server supports the property; see <doc:OutgrowingOneMachine>. A SQLite store supports it
    /// too, without a cost for transactions: SQLite counts the commits of other connections, also those of other
    /// programs, and the container reads the count ten times a second. It then reports all entities. For any other kind
    /// of store, opening or copying the store throws an error if the property is `true`.
    public var announcesChanges: Bool {
        get { options.announcesChanges }
        set { options.announcesChanges = newValue }
    }

    /// The level of the store's history; `nil`, the default, leaves it as it is.
    ///
    /// If the level of an existing store differs, opening the store changes it: earlier versions of Strata then reject
    /// the store, and processes that have it open must open it again. The level ``HistoryLevel/off`` discards the
    /// history. SQLite stores and stores on a PostgreSQL server can keep a history; for any other kind, opening the
    /// store throws an error unless the level is `nil` or ``HistoryLevel/off``.
    public var history: HistoryLevel?

    /// The name that the history of the store records as the author of the container's transactions, such as that of a
    /// service.
    public var author: String?

    /// The object that receives each operation of the container on the store, for logs, metrics and traces.
    ///
    /// The default is `nil`; operations are then not measured.
    public var operationObserver: (any OperationObserver)?

    /// The model versions that the store may have, with a migration stage from each version to the next.
    ///
    /// If the value is `nil`, the default, the migration is inferred from the model that is saved in the store. With a
    /// plan, the container's model must be the newest version of the plan. Otherwise opening the store throws
    /// ``PersistenceError/Code/invalidRequest``.
    public var migrationPlan: MigrationPlan? {
        didSet {
            options.migration.route = nil
            guard let plan = migrationPlan else { return }
            options.migration.route = { stored, later in try plan.route(from: stored, to: later) }
        }
    }

    /// The maximum age of a row in the container's cache; `nil` means no limit.
    ///
    /// If a fault, a reference or a prefetch needs a row, and the cached row is not older than this age, the store is
    /// not read. Zero, the default, disables the cache. The age limits only how late changes of other processes become
    /// visible; saves of this container's contexts are always visible at once. Fetches always read the store.
    public var stalenessInterval: Duration? = .zero
    /// A closure that returns the current time; tests replace it.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    /// Creates the description of a store of any kind.
    ///
    /// - Parameter provider: The store provider, which opens the store.
    public init(_ provider: any StoreProvider) {
        self.provider = provider
    }

    /// Returns the description of a SQLite store in a file, which is the default kind.
    ///
    /// Any number of processes on one machine may have the store open: one writes at a time, and readers do not wait.
    /// While the store is open, SQLite has two more files next to it, whose names end in `-wal` and `-shm`.
    ///
    /// - Parameter url: The file.
    /// - Returns: The description.
    public static func sqlite(at url: URL) -> PersistentStoreDescription {
        PersistentStoreDescription(SQLiteStoreProvider(at: url))
    }

    /// Returns the description of a store in an XML file, for small documents under version control.
    ///
    /// The whole store is in memory, and every save writes the whole file; see <doc:FileStores>.
    ///
    /// - Parameter url: The file, of at most 256 MiB; its name usually ends in `.stxml`.
    /// - Returns: The description.
    public static func xml(at url: URL) -> PersistentStoreDescription {
        PersistentStoreDescription(AtomicStoreProvider(.xml, at: url))
    }

    /// Returns the description of a store in a binary file.
    ///
    /// The whole store is in memory, and every save writes the whole file; see <doc:FileStores>.
    ///
    /// - Parameter url: The file, of at most 256 MiB; its name usually ends in `.stbin`.
    /// - Returns: The description.
    public static func binary(at url: URL) -> PersistentStoreDescription {
        PersistentStoreDescription(AtomicStoreProvider(.binary, at: url))
    }

    /// Returns the description of a store in a file, with the kind of the file's extension.
    ///
    /// The extension `.stxml` means XML, and `.stbin` means binary, in uppercase or lowercase. Any other extension
    /// means SQLite.
    ///
    /// - Parameter url: The file.
    /// - Returns: The description.
    public static func file(at url: URL) -> PersistentStoreDescription {
        switch url.pathExtension.lowercased() {
        case "stxml": .xml(at: url)
        case "stbin": .binary(at: url)
        default: .sqlite(at: url)
        }
    }

    /// The description of a store in memory, which is empty when a container opens it and ceases to exist when the
    /// container is closed.
    public static var inMemory: PersistentStoreDescription { PersistentStoreDescription(InMemoryStoreProvider()) }

    /// Returns the description of a store in memory that initially contains the rows of another store.
    ///
    /// The other store is unchanged. If it has another model, the copied rows are migrated.
    ///
    /// - Parameter store: The other store.
    /// - Returns: The description.
    public static func inMemory(copyOf store: InMemoryStore) -> PersistentStoreDescription {
        PersistentStoreDescription(InMemoryStoreProvider(copyOf: store))
    }

    /// Returns the description of a store that a closure opens, for tests that need no ``StoreProvider``.
    ///
    /// - Parameters:
    ///   - name: The name of the kind of store, for messages.
    ///   - open: A closure that opens the store with the model of the container.
    /// - Returns: The description.
    public static func custom(
        _ name: String, open: @escaping @Sendable (ManagedObjectModel) throws -> any PersistentStore
    ) -> PersistentStoreDescription {
        PersistentStoreDescription(FunctionProvider(kind: name, make: open))
    }

    /// The description of the same store with read-only access; opening it never creates the store.
    public var readOnly: PersistentStoreDescription {
        var description = self
        description.isReadOnly = true
        description.createsStore = false
        return description
    }

    /// A Boolean value that indicates whether the store is a SQLite store.
    ///
    /// The model of a SQLite store can be read even if a part of the store is corrupt.
    package var isSQLite: Bool { provider is SQLiteStoreProvider }

    /// The maximum number of columns in an entity's table, or `nil` if the kind of store has no limit.
    public var maximumColumns: Int? { provider.maximumColumns }

    /// The URL of the store's file, or `nil` if the store is not in a file.
    public var url: URL? { provider.url }

    func open(_ model: ManagedObjectModel) throws -> any PersistentStore {
        try checkOptions()
        try checkColumns(of: model)
        return try provider.open(model.withoutMissingCode(), options: options)
    }

    /// Throws an error if an entity has more columns than the kind of store supports, before the store is created.
    func checkColumns(of model: ManagedObjectModel) throws {
        guard let most = provider.maximumColumns,
            let entity = model.entities.first(where: { $0.columns.count > most })
        else { return }
        throw PersistenceError(
            .incompatibleModel,
            "\(entity.name) has \(entity.columns.count) columns, but a \(provider.kind) store can have at most \(most)",
            entity: entity.name)
    }

    /// Throws an error if an option is set that the kind of store does not support.
    func checkOptions() throws {
        guard !options.announcesChanges || provider.canAnnounceChanges else {
            throw PersistenceError.notAnnouncing("a store of the kind “\(provider.kind)”")
        }
    }
}

/// A provider of a store that a closure opens.
private struct FunctionProvider: StoreProvider {
    let kind: String
    let make: @Sendable (ManagedObjectModel) throws -> any PersistentStore

    func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore {
        if options.isReadOnly { throw PersistenceError.notReadOnly("a store of the kind “\(kind)”") }
        if options.durability == .full { throw PersistenceError.notDurable("a store of the kind “\(kind)”") }
        return try make(model)
    }

    func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws {
        throw PersistenceError(.invalidRequest, "a store of the kind “\(kind)” can be removed only by its own type")
    }
}
