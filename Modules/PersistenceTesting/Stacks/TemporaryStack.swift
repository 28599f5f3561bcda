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
///
/// Use this type for tests of behavior that only files have, such as reopening a store, access by several processes,
/// migrations, or the size of the store. Other tests are faster with `PersistentContainer.inMemory(model:mainQueue:)`,
/// whose rows follow the same rules.
///
/// ## Topics
///
/// ### Creating a stack
///
/// - ``init(model:mainQueue:)``
///
/// ### Using the stack
///
/// - ``container``
/// - ``folder``
public final class TemporaryStack: Sendable {
    /// The loaded container.
    ///
    /// A test may close it to open the file again. The stack then has nothing to close.
    public let container: PersistentContainer
    /// The folder, which contains only the store.
    ///
    /// SQLite adds files with the name of the store and a suffix, such as its write-ahead log.
    public let folder: TemporaryFolder

    /// The name of the store's file in its folder.
    ///
    /// Prepared stores use the same name, so that a copy needs no other one.
    static let fileName = "store.sqlite"

    /// Loads a stack.
    ///
    /// The initializer creates the folder and an empty store with the tables of the model, and returns when the
    /// container is loaded.
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
    ///
    /// - Parameters:
    ///   - model: The model of the store.
    ///   - file: The file of a closed store; its folder contains no write-ahead log with data.
    ///   - mainQueue: The queue of the main context.
    /// - Throws: The error of the file system if the file cannot be copied, or `PersistenceError` if it cannot be
    ///   opened.
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
