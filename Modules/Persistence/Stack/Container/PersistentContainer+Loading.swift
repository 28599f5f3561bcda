import StrataCore
import StrataStoreKit

extension PersistentContainer {
    /// Opens a store and returns its container without blocking the caller's thread.
    ///
    /// A store with another model is migrated first. If the task is canceled during the migration, the migration rolls
    /// back and the method throws `CancellationError`.
    ///
    /// - Parameters:
    ///   - model: The model of the container.
    ///   - description: The store to open.
    ///   - mainQueue: The queue of the main context.
    /// - Returns: The container, whose store is open.
    /// - Throws: The errors of ``init(model:_:mainQueue:)``, and `CancellationError` if the task was canceled during a
    ///   migration.
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

    /// Begins to open a store in the background, and returns an operation that reports the progress of a migration.
    ///
    /// ```swift
    /// let loading = PersistentContainer.loading(model: model, .sqlite(at: url))
    /// for await progress in loading.progress { print("\(progress.rows) of \(progress.totalRows) rows") }
    /// let container = try await loading.container
    /// ```
    ///
    /// - Parameters:
    ///   - model: The model of the container.
    ///   - description: The store to open.
    ///   - mainQueue: The queue of the main context.
    /// - Returns: The loading operation, which continues even if no code reads its progress.
    public static func loading(
        model: ManagedObjectModel, _ description: PersistentStoreDescription, mainQueue: MainQueue = .main
    ) -> ContainerLoading {
        ContainerLoading(model: model, description, mainQueue: mainQueue)
    }
}

/// An operation that opens a store and creates its container.
///
/// ``PersistentContainer/loading(model:_:mainQueue:)`` returns the operation, which has begun already. Read
/// ``container`` in any number of tasks; all of them get the same container or the same error. If no code reads
/// ``container``, the container is still loaded, and it is released together with the operation.
public struct ContainerLoading: Sendable {
    /// The progress of the migration, for one subscriber.
    ///
    /// A slow subscriber receives only the latest progress. The stream ends when the container is loaded or fails to
    /// load. If the migration rewrites no rows, the stream ends without an element.
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

    /// The loaded container; the access waits until it is loaded.
    ///
    /// - Throws: The errors of ``PersistentContainer/load(model:_:mainQueue:)``.
    public var container: PersistentContainer {
        get async throws { try await task.value }
    }

    /// Cancels a running migration, which rolls back; ``container`` then throws `CancellationError`.
    ///
    /// If the container is already loaded, this method has no effect.
    public func cancel() { task.cancel() }
}

/// A flag that requests the cancellation of a migration.
private final class CancellationRequest: Sendable {
    private let isCancelled = Guarded(false)

    func cancel() { isCancelled.withLock { $0 = true } }

    /// Returns a store description whose migration is canceled when this request is made.
    func obeyed(by description: PersistentStoreDescription) -> PersistentStoreDescription {
        var description = description
        let other = description.migration.isCancelled
        description.migration.isCancelled = { [self] in isCancelled.withLock { $0 } || other() }
        return description
    }
}

/// An actor that opens stores on its own queue, because opening a store blocks and must not block a cooperative thread.
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
