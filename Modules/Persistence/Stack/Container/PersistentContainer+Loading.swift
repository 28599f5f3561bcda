import StrataCore

extension PersistentContainer {
    /// Loads a stack without blocking the caller's thread; a store that was made with another model follows first.
    ///
    /// A task that is cancelled while a store is migrated takes the migration back, and gets `CancellationError`.
    ///
    /// - Throws: As ``init(model:_:mainQueue:)``.
    public static func load(
        model: ManagedObjectModel, _ description: PersistentStoreDescription, mainQueue: MainQueue = .main
    ) async throws -> PersistentContainer {
        let wish = CancellationWish()
        let description = wish.obeyed(by: description)
        return try await withTaskCancellationHandler {
            try await Loader().load(model, store: description, mainQueue: mainQueue)
        } onCancel: {
            wish.cancel()
        }
    }

    /// Begins to load a stack, and tells how far a migration is meanwhile.
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
    ///   - mainQueue: Where the main context works.
    /// - Returns: What is under way; it goes on whether anybody listens or not.
    public static func loading(
        model: ManagedObjectModel, _ description: PersistentStoreDescription, mainQueue: MainQueue = .main
    ) -> ContainerLoading {
        ContainerLoading(model: model, description, mainQueue: mainQueue)
    }
}

/// A stack that is being loaded.
public struct ContainerLoading: Sendable {
    /// How far a migration is: the newest news only, for whoever is slower than they come; ends when the stack is loaded or cannot be, at once where no rows
    /// are written anew. For one listener.
    public let progress: AsyncStream<MigrationProgress>
    private let task: Task<PersistentContainer, any Error>

    init(model: ManagedObjectModel, _ description: PersistentStoreDescription, mainQueue: PersistentContainer.MainQueue)
    {
        let (stream, continuation) = AsyncStream.makeStream(
            of: MigrationProgress.self, bufferingPolicy: .bufferingNewest(1))
        var description = description
        let told = description.migration.progress
        description.migration.progress = { progress in
            told?(progress)
            continuation.yield(progress)
        }
        progress = stream
        task = Task { [description] in
            defer { continuation.finish() }
            return try await PersistentContainer.load(model: model, description, mainQueue: mainQueue)
        }
    }

    /// The stack, when it is loaded.
    ///
    /// - Throws: As ``PersistentContainer/load(model:_:mainQueue:)``.
    public var container: PersistentContainer {
        get async throws { try await task.value }
    }

    /// Takes a migration that is under way back; ``container`` throws `CancellationError` then. A stack that is loaded stays.
    public func cancel() { task.cancel() }
}

/// Whether somebody does not want a migration any more.
private final class CancellationWish: Sendable {
    private let isCancelled = Guarded(false)

    func cancel() { isCancelled.withLock { $0 = true } }

    /// The description of a store whose migration obeys the wish.
    func obeyed(by description: PersistentStoreDescription) -> PersistentStoreDescription {
        var description = description
        let other = description.migration.isCancelled
        description.migration.isCancelled = { [self] in isCancelled.withLock { $0 } || other() }
        return description
    }
}

/// Loads on a queue of its own: opening a store blocks, and must not block a cooperative thread.
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
