public import StrataPersistence

extension PersistentContainer {
    /// Returns a loaded stack in memory for one test, which needs no cleanup.
    ///
    /// ```swift
    /// let container = try PersistentContainer.inMemory(model: ReferenceModel.model())
    /// ```
    ///
    /// The store begins empty and is released with the container. Each call creates another store, so tests that run in
    /// parallel do not affect each other. The method returns when the container is loaded.
    ///
    /// Pass another `mainQueue` only if the test runs the main queue, for example in an application with a user
    /// interface.
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
    /// The main context uses a separate queue. ``PreparedStack`` combines this method with the preparation of the rows.
    ///
    /// - Parameter store: The prepared store. Later changes of the store and of the copy do not affect each other.
    /// - Returns: The container.
    /// - Throws: `PersistenceError` if the store is closed.
    /// - Complexity: Independent of the number of rows, which are shared until one side changes them.
    public static func inMemory(copyOf store: InMemoryStore) throws -> PersistentContainer {
        let copy = try store.copy()
        return try PersistentContainer(model: store.model, .custom("in-memory") { _ in copy }, mainQueue: .private)
    }
}
