public import StrataPersistence

extension PersistentContainer {
    /// A loaded stack in memory, for one test: one line, nothing to clean up.
    ///
    /// ```swift
    /// let container = try PersistentContainer.inMemory(model: ReferenceModel.model())
    /// ```
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - mainQueue: Where the main context works; in tests nothing runs the main queue, so on a queue of its own.
    /// - Returns: The container.
    /// - Throws: `PersistenceError` when the model cannot be used.
    public static func inMemory(model: ManagedObjectModel, mainQueue: MainQueue = .private) throws
        -> PersistentContainer
    {
        try PersistentContainer(model: model, .inMemory, mainQueue: mainQueue)
    }

    /// A loaded stack over a copy of a prepared store, for many tests that begin with the same rows.
    ///
    /// - Parameter store: The prepared store; neither sees what the other does afterwards.
    /// - Returns: The container.
    /// - Throws: `PersistenceError` when the store was closed.
    public static func inMemory(copyOf store: InMemoryStore) throws -> PersistentContainer {
        let copy = try store.copy()
        return try PersistentContainer(model: store.model, .custom("in-memory") { _ in copy }, mainQueue: .private)
    }
}
