public import StrataCore
public import StrataStoreKit

/// A provider of in-memory stores, which begin empty or with the rows of another store.
///
/// Each opening returns a new store, so two containers with the same provider do not share rows. The contents of a
/// store are lost when it is released. `PersistentStoreDescription.inMemory` uses such a provider.
///
/// ## Topics
///
/// ### Creating a provider
///
/// - ``init()``
/// - ``init(copyOf:)``
/// - ``kind``
///
/// ### Opening stores
///
/// - ``open(_:options:)``
/// - ``previewMigration(to:options:)``
/// - ``destroy(onlyIfEmpty:options:)``
public struct InMemoryStoreProvider: StoreProvider {
    private let prepared: InMemoryStore?

    /// Creates a provider of empty stores.
    public init() { prepared = nil }

    /// Creates a provider of stores that begin with the rows of another store, which is unchanged.
    ///
    /// Use it for tests of a migration: prepare a store with the earlier model once, and open a copy with the later
    /// model in each test. If that store has another model, the rows are migrated when a store is opened, as those of a
    /// file.
    ///
    /// - Parameter store: The other store, of any model; it must remain open until the last opening.
    public init(copyOf store: InMemoryStore) { prepared = store }

    /// The name of the store kind.
    public var kind: String { "in-memory" }

    /// Creates a store that is empty or has the prepared rows.
    ///
    /// - Parameters:
    ///   - model: The model of the new store.
    ///   - options: The options; only the options of the migration and those that are rejected have an effect.
    /// - Returns: A new store, which is independent of all others.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the options request a
    ///   read-only store or durability after a power failure; the errors of ``InMemoryStore/migrated(to:options:)`` if
    ///   prepared rows cannot be migrated to the model.
    public func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore {
        if options.isReadOnly {
            throw PersistenceError.notReadOnly("a store in memory is empty at the beginning, so it")
        }
        if options.durability == .full { throw PersistenceError.notDurable("a store in memory") }
        return try prepared?.migrated(to: model, options: options.migration) ?? InMemoryStore(model: model)
    }

    /// Returns a preview of the migration of the prepared rows to a model; it has no steps without prepared rows.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed`` if the store with the prepared rows
    ///   was closed.
    public func previewMigration(to model: ManagedObjectModel, options: StoreOptions) throws -> MigrationPreview {
        try prepared?.previewMigration(to: model, options: options.migration) ?? MigrationPreview(steps: [])
    }

    /// Does nothing, because an in-memory store ceases to exist when it is released.
    public func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws {}
}
