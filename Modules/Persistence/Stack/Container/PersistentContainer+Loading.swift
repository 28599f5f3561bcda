import StrataCore

extension PersistentContainer {
    /// Loads a stack without blocking the caller's thread, and first migrates a store that has another model.
    ///
    /// If the task is canceled during a migration, the migration rolls back and the method throws `CancellationError`.
    ///
    /// - Throws: The errors of ``init(model:_:mainQueue:)``.
    public static func load(
        model: ManagedObjectModel, _ description: PersistentStoreDescription, mainQueue: MainQueue = .main
    ) async throws -> PersistentContainer {
        let wish = CancellationRequest()
        let description = wish.obeyed(by: description)
        return try await withTaskCancellationHandler {
            try await Loader().load(model, store: description, mainQueue: mainQueue)
        } onCancel: {
            wish.cancel()
        }
    }

    /// Begins to load a stack, and reports the progress of a migration.
    ///
    /// ```swift
    /// let loading = PersistentContainer.loading(model: model, .sqlite(at: url))
    /// for await progress in loading.progress { print("\(progress.rows) of \(progress.totalRows) rows") }
    /// let container = try await loading.container
    /// ```
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - description: The store.
    ///   - mainQueue: The queue of the main context.
    /// - Returns: The loading operation, which continues even if no subscriber reads its progress.
    public static func loading(
        model: ManagedObjectModel, _ description: PersistentStoreDescription, mainQueue: MainQueue = .main
    ) -> ContainerLoading {
        ContainerLoading(model: model, description, mainQueue: mainQueue)
    }
}

/// A loading operation of a stack.
public struct ContainerLoading: Sendable {
    /// The progress of a migration, for one subscriber.
    ///
    /// A slow subscriber receives only the latest progress. The stream ends when the stack is loaded or fails to load.
    /// It ends immediately if the migration rewrites no rows.
    public let progress: AsyncStream<MigrationProgress>
    private let task: Task<PersistentContainer, any Error>

    init(model: ManagedObjectModel, _ description: PersistentStoreDescription, mainQueue: PersistentContainer.MainQueue)
    {
        let (stream, continuation) = AsyncStream.makeStream(
            of: MigrationProgress.self, bufferingPolicy: .bufferingNewest(1))
        var description = description
        let report = description.migration.progress
        description.migration.progress = { progress in
            report?(progress)
            continuation.yield(progress)
        }
        progress = stream
        task = Task { [description] in
            defer { continuation.finish() }
            return try await PersistentContainer.load(model: model, description, mainQueue: mainQueue)
        }
    }

    /// The stack, as soon as it is loaded.
    ///
    /// - Throws: The errors of ``PersistentContainer/load(model:_:mainQueue:)``.
    public var container: PersistentContainer {
        get async throws { try await task.value }
    }

    /// Cancels a running migration, which rolls back; ``container`` then throws `CancellationError`.
    ///
    /// A stack that is already loaded is unaffected.
    public func cancel() { task.cancel() }
}

/// A request to cancel a migration.
private final class CancellationRequest: Sendable {
    private let isCancelled = Guarded(false)

    func cancel() { isCancelled.withLock { $0 = true } }

    /// Returns the description of a store whose migration respects the request.
    func obeyed(by description: PersistentStoreDescription) -> PersistentStoreDescription {
        var description = description
        let other = description.migration.isCancelled
        description.migration.isCancelled = { [self] in isCancelled.withLock { $0 } || other() }
        return description
    }
}

/// An actor that loads on its own queue, because opening a store blocks and must not block a cooperative thread.
private actor Loader {
    private let executor = QueueExecutor(name: "load")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func load(
        _ model: ManagedObjectModel, store description: PersistentStoreDescription,
        mainQueue: PersistentContainer.MainQueue
    ) throws -> PersistentContainer {
        try PersistentContainer(model: model, description, mainQueue: mainQueue)
    }
}
