public import Foundation
import StrataCore

/// Which store a container opens, and how.
public struct PersistentStoreDescription: Sendable {
    let provider: any StoreProvider
    private(set) var options = StoreOptions()

    /// Whether nothing will be written; for stores in files.
    public var isReadOnly: Bool {
        get { options.isReadOnly }
        set { options.isReadOnly = newValue }
    }

    /// Whether a store is made where there is none.
    public var createsStore: Bool {
        get { options.createsStore }
        set { options.createsStore = newValue }
    }

    /// How long to wait while another process or connection holds the store.
    public var busyTimeout: Duration {
        get { options.busyTimeout }
        set { options.busyTimeout = newValue }
    }

    /// What of the saves that were acknowledged a power failure may take; for stores in files.
    ///
    /// ``Durability/normal`` unless it is said otherwise.
    public var durability: Durability {
        get { options.durability }
        set { options.durability = newValue }
    }

    /// What is done where the store was made with another model: to migrate, and to drop nothing, unless it is said otherwise.
    ///
    /// A store that is opened for reading only never changes; where only rules, defaults and the like are others, it is read with the model it is opened with.
    public var migration: MigrationOptions {
        get { options.migration }
        set {
            let route = options.migration.route
            options.migration = newValue
            options.migration.route = newValue.route ?? route
        }
    }

    /// Whether the other containers of the store are told which entities this one writes, and this one what they write; off unless it is said otherwise.
    ///
    /// Core Data's `NSPersistentStoreRemoteChangeNotificationPostOptionKey`. Everybody who writes has to ask for it to be heard: each transaction writes what
    /// it changed, which is not for nothing. ``PersistentContainer/remoteChanges()`` tells it; one that is opened for reading only listens. Only a store
    /// on a PostgreSQL server can, see <doc:OutgrowingOneMachine>; to open or copy one of another kind so is an error.
    public var announcesChanges: Bool {
        get { options.announcesChanges }
        set { options.announcesChanges = newValue }
    }

    /// The versions of the model that the store may have, and the way from each to the next; `nil` is what can be inferred from the store's own model.
    public var migrationPlan: MigrationPlan? {
        didSet {
            options.migration.route = nil
            guard let plan = migrationPlan else { return }
            options.migration.route = { stored, later in try plan.route(from: stored, to: later) }
        }
    }

    /// How old a row may be that a fault, a reference or a prefetch takes from the container's cache instead of the store; `nil` is any age.
    ///
    /// Zero, the default, means that there is no cache. What this container's contexts save is never missed; the interval is about other
    /// processes. Fetches always ask the store.
    public var stalenessInterval: Duration? = .zero
    /// The time; another one in tests.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    /// A store of any kind.
    ///
    /// - Parameter provider: Where it is.
    public init(_ provider: any StoreProvider) {
        self.provider = provider
    }

    /// A SQLite store in a file: the default kind.
    public static func sqlite(at url: URL) -> PersistentStoreDescription {
        PersistentStoreDescription(SQLiteStoreProvider(at: url))
    }

    /// A store that is an XML file, for small documents under version control: all of it is in memory, and every save writes all of it; see <doc:FileStores>.
    ///
    /// - Parameter url: The file, of at most 256 MiB; its name usually ends in `.stxml`.
    /// - Returns: The description.
    public static func xml(at url: URL) -> PersistentStoreDescription {
        PersistentStoreDescription(AtomicStoreProvider(.xml, at: url))
    }

    /// A store that is a binary file: all of it is in memory, and every save writes all of it; see <doc:FileStores>.
    ///
    /// - Parameter url: The file, of at most 256 MiB; its name usually ends in `.stbin`.
    /// - Returns: The description.
    public static func binary(at url: URL) -> PersistentStoreDescription {
        PersistentStoreDescription(AtomicStoreProvider(.binary, at: url))
    }

    /// A store in a file, of the kind that its name says: XML for `.stxml`, binary for `.stbin`, in whatever case, and SQLite for all others.
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

    /// A store in memory, empty at the beginning and gone at the end.
    public static var inMemory: PersistentStoreDescription { PersistentStoreDescription(InMemoryStoreProvider()) }

    /// A store in memory that begins with the rows of another one, which stays as it is; where that is of another model, the rows follow.
    ///
    /// - Parameter store: The other store.
    /// - Returns: The description.
    public static func inMemory(copyOf store: InMemoryStore) -> PersistentStoreDescription {
        PersistentStoreDescription(InMemoryStoreProvider(copyOf: store))
    }

    /// A store that a function makes: in tests, where a ``StoreProvider`` would be too much.
    ///
    /// - Parameters:
    ///   - name: The kind's name, for messages.
    ///   - open: Opens the store with a model.
    /// - Returns: The description.
    public static func custom(
        _ name: String, open: @escaping @Sendable (ManagedObjectModel) throws -> any PersistentStore
    ) -> PersistentStoreDescription {
        PersistentStoreDescription(FunctionProvider(kind: name, make: open))
    }

    /// The same store, for reading only; one that does not exist is not made.
    public var readOnly: PersistentStoreDescription {
        var description = self
        description.isReadOnly = true
        description.createsStore = false
        return description
    }

    /// Whether it is a SQLite store, whose model is read even where a part of it is damaged.
    package var isSQLite: Bool { provider is SQLiteStoreProvider }

    /// The most columns that the table of an entity has; `nil` if there is no limit.
    public var maximumColumns: Int? { provider.maximumColumns }

    /// The file of a store that has one.
    public var url: URL? { provider.url }

    func open(_ model: ManagedObjectModel) throws -> any PersistentStore {
        try checkOptions()
        try checkColumns(of: model)
        return try provider.open(model.withoutMissingCode(), options: options)
    }

    /// Reports an entity with more columns than the kind of store has, before anything is made.
    func checkColumns(of model: ManagedObjectModel) throws {
        guard let most = provider.maximumColumns,
            let entity = model.entities.first(where: { $0.columns.count > most })
        else { return }
        throw PersistenceError(
            .incompatibleModel,
            "\(entity.name) has \(entity.columns.count) columns, and a \(provider.kind) store has at most \(most)",
            entity: entity.name)
    }

    /// Refuses what the kind of store does not know of, and so would not obey.
    func checkOptions() throws {
        guard !options.announcesChanges || provider.canAnnounceChanges else {
            throw PersistenceError.notAnnouncing("a store of the kind “\(provider.kind)”")
        }
    }
}

/// A store that a function makes.
private struct FunctionProvider: StoreProvider {
    let kind: String
    let make: @Sendable (ManagedObjectModel) throws -> any PersistentStore

    func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore {
        if options.isReadOnly { throw PersistenceError.notReadOnly("a store of the kind “\(kind)”") }
        if options.durability == .full { throw PersistenceError.notDurable("a store of the kind “\(kind)”") }
        return try make(model)
    }

    func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws {
        throw PersistenceError(.invalidRequest, "a store of the kind “\(kind)” is removed by its own type")
    }
}
