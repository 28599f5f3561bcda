public import StrataPersistence

extension PersistentContainer {
    /// Returns a loaded stack in memory for one test, which needs no cleanup.
    ///
    /// ```swift
    /// let container = try PersistentContainer.inMemory(model: ReferenceModel.model())
    /// ```
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - mainQueue: The queue of the main context (default: a separate queue, because no test runs the main queue).
    /// - Returns: The container.
    /// - Throws: `PersistenceError` if the model cannot be used.
    public static func inMemory(model: ManagedObjectModel, mainQueue: MainQueue = .private) throws
        -> PersistentContainer
    {
        try PersistentContainer(model: model, .inMemory, mainQueue: mainQueue)
    }

    /// Returns a loaded stack over a copy of a prepared store, for many tests that begin with the same rows.
    ///
    /// - Parameter store: The prepared store. Later changes of the store and of the copy do not affect each other.
    /// - Returns: The container.
    /// - Throws: `PersistenceError` if the store is closed.
    public static func inMemory(copyOf store: InMemoryStore) throws -> PersistentContainer {
        let copy = try store.copy()
        return try PersistentContainer(model: store.model, .custom("in-memory") { _ in copy }, mainQueue: .private)
    }
}
