import Foundation
public import StrataPersistence

/// A loaded stack over a SQLite store in a temporary folder, for one test.
///
/// ```swift
/// let stack = try TemporaryStack(model: ReferenceModel.model())
/// let repository = StoredColorRepository(stack.container.backgroundContext)
/// ```
///
/// Keep the stack as long as its container is used: with its last reference the container is closed and the folder removed.
public final class TemporaryStack: Sendable {
    /// The loaded container.
    public let container: PersistentContainer
    /// The folder that holds the store and nothing else.
    public let folder: TemporaryFolder

    /// The name of the store's file in its folder.
    static let fileName = "store.sqlite"

    /// Loads a stack.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - mainQueue: Where the main context works; in tests nothing runs the main queue, so on a queue of its own.
    /// - Throws: `PersistenceError` when the store cannot be made.
    public init(model: ManagedObjectModel, mainQueue: PersistentContainer.MainQueue = .private) throws {
        folder = try TemporaryFolder()
        container = try PersistentContainer(
            model: model, .sqlite(at: folder.file(Self.fileName)), mainQueue: mainQueue)
    }

    /// Loads a stack over a copy of a store's file that nobody has open, so that it has no log.
    init(model: ManagedObjectModel, copyOfClosed file: URL, mainQueue: PersistentContainer.MainQueue) throws {
        folder = try TemporaryFolder()
        try FileManager.default.copyItem(at: file, to: folder.file(Self.fileName))
        container = try PersistentContainer(
            model: model, .sqlite(at: folder.file(Self.fileName)), mainQueue: mainQueue)
    }

    deinit {
        // The test is over: whoever wants to see the error closes the container itself.
        _ = try? container.close()
    }
}
