public import StrataCore

/// Makes stores in memory, empty at the beginning and gone at the end.
public struct InMemoryStoreProvider: StoreProvider {
    /// A provider of empty stores.
    public init() {}

    /// The kind's name.
    public var kind: String { "in-memory" }

    /// Makes an empty store.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for one that could only be read, or
    ///   that should survive a power failure.
    public func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore {
        if options.isReadOnly {
            throw PersistenceError.notReadOnly("a store in memory is empty at the beginning, so it")
        }
        if options.durability == .full { throw PersistenceError.notDurable("a store in memory") }
        return InMemoryStore(model: model)
    }

    /// Does nothing: a store in memory is gone with whoever has it.
    public func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws {}
}
