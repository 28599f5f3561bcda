public import StrataCore

/// Makes stores in memory, empty at the beginning, or with the rows of another one, and gone at the end.
public struct InMemoryStoreProvider: StoreProvider {
    private let prepared: InMemoryStore?

    /// A provider of empty stores.
    public init() { prepared = nil }

    /// A provider of stores that begin with the rows of another one, which stays as it is.
    ///
    /// Where that is of another model, the rows follow when the store is opened, as a file's would.
    ///
    /// - Parameter store: The other store, of whatever model.
    public init(copyOf store: InMemoryStore) { prepared = store }

    /// The kind's name.
    public var kind: String { "in-memory" }

    /// Makes a store.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for one that could only be read, or
    ///   that should survive a power failure; as ``InMemoryStore/migrated(to:options:)`` where prepared rows cannot follow the model.
    public func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore {
        if options.isReadOnly {
            throw PersistenceError.notReadOnly("a store in memory is empty at the beginning, so it")
        }
        if options.durability == .full { throw PersistenceError.notDurable("a store in memory") }
        return try prepared?.migrated(to: model, options: options.migration) ?? InMemoryStore(model: model)
    }

    /// What would happen to prepared rows.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed``.
    public func previewMigration(to model: ManagedObjectModel, options: StoreOptions) throws -> MigrationPreview {
        try prepared?.previewMigration(to: model, options: options.migration) ?? MigrationPreview(steps: [])
    }

    /// Does nothing: a store in memory is gone with whoever has it.
    public func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws {}
}
