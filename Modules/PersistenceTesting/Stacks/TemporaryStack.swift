import Foundation
public import StrataPersistence

/// A loaded stack over a SQLite store in a temporary folder, for one test.
///
/// ```swift
/// let stack = try TemporaryStack(model: ReferenceModel.model())
/// let repository = StoredColorRepository(stack.container.backgroundContext)
/// ```
///
/// Retain the stack as long as its container is used. When the last reference is released, the container is closed and
/// the folder is removed.
public final class TemporaryStack: Sendable {
    /// The loaded container.
    public let container: PersistentContainer
    /// The folder, which contains only the store.
    public let folder: TemporaryFolder

    /// The name of the store's file in its folder.
    static let fileName = "store.sqlite"

    /// Loads a stack.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - mainQueue: The queue of the main context (default: a separate queue, because no test runs the main queue).
    /// - Throws: `PersistenceError` if the store cannot be created.
    public init(model: ManagedObjectModel, mainQueue: PersistentContainer.MainQueue = .private) throws {
        folder = try TemporaryFolder()
        container = try PersistentContainer(
            model: model, .sqlite(at: folder.file(Self.fileName)), mainQueue: mainQueue)
    }

    /// Loads a stack over a copy of a store's file that is not open and therefore has no log.
    init(model: ManagedObjectModel, copyOfClosed file: URL, mainQueue: PersistentContainer.MainQueue) throws {
        folder = try TemporaryFolder()
        try FileManager.default.copyItem(at: file, to: folder.file(Self.fileName))
        container = try PersistentContainer(
            model: model, .sqlite(at: folder.file(Self.fileName)), mainQueue: mainQueue)
    }

    deinit {
        // The test is over. A test that needs the error closes the container itself.
        _ = try? container.close()
    }
}
