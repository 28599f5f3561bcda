public import Foundation
public import StrataPersistence

/// Rows that are created once, with a new SQLite store with a copy of them for every test that needs a real file.
///
/// ```swift
/// let onDisk = try PreparedStore(model: ReferenceModel.model(), copyOf: url)
/// let stack = try onDisk.temporaryCopy()
/// ```
///
/// A copy is the copy of a closed file, so its cost increases with the number of rows. ``PreparedStack`` makes copies
/// in memory in constant time. No test sees the changes of another test. All copies have the same store identifier.
///
/// The prepared file is in a temporary folder that this value owns. The folder is removed when the last copy of the
/// value is released. Stacks that were created before have their own folders and are not affected.
///
/// ## Topics
///
/// ### Preparing rows
///
/// - ``init(model:_:)``
/// - ``init(model:copyOf:)``
///
/// ### Creating a stack for a test
///
/// - ``temporaryCopy(mainQueue:)``
public struct PreparedStore: Sendable {
    private let model: ManagedObjectModel
    /// The folder with the file that is copied, which is not open.
    private let folder: TemporaryFolder

    /// The closed file that each test copies.
    private var file: URL { folder.file(TemporaryStack.fileName) }

    /// Reads the rows from a store file, for example one that `strata generate --store` created.
    ///
    /// The file is unchanged, byte for byte, and is not needed afterwards. It may be in a read-only location, and other
    /// processes may use it.
    ///
    /// In contrast to ``PreparedStack``, the initializer does not validate the rows by the rules of the model.
    ///
    /// - Parameters:
    ///   - model: The model of the store.
    ///   - url: The file of the SQLite store.
    /// - Throws: `PersistenceError` if there is no store, and none is created; if the store has another model; or if it
    ///   cannot be copied.
    public init(model: ManagedObjectModel, copyOf url: URL) throws {
        self.model = model
        folder = try TemporaryFolder()
        try SQLiteStore.copy(at: url, to: file, model: model)
        // Creates the write-ahead log once, so that no copy has to create it.
        try SQLiteStore.open(at: file, model: model).close()
    }

    /// Creates the rows.
    ///
    /// The closure runs on a background context, while the calling thread waits. The store is closed before the
    /// initializer returns.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - fill: A closure that inserts the rows; its unsaved changes are saved.
    /// - Throws: `PersistenceError`, or the error of `fill`.
    public init(model: ManagedObjectModel, _ fill: @Sendable (ConfinedContext) throws -> Void) throws {
        self.model = model
        folder = try TemporaryFolder()
        let container = try PersistentContainer(model: model, .sqlite(at: file), mainQueue: .private)
        try container.backgroundContext.performAndWait { context in
            try fill(context)
            try context.save()
        }
        try container.close()
    }

    /// Returns a loaded stack over a copy of the rows, in a separate temporary folder.
    ///
    /// Retain the returned stack as long as its container is used; when it is released, its folder is removed.
    ///
    /// - Parameter mainQueue: The queue of the main context (default: a separate queue, because no test runs the main
    ///   queue).
    /// - Returns: The stack.
    /// - Throws: `PersistenceError`, or the error of the file system if there is no space for a copy.
    /// - Complexity: O(*n*) in the size of the file.
    public func temporaryCopy(mainQueue: PersistentContainer.MainQueue = .private) throws -> TemporaryStack {
        try TemporaryStack(model: model, copyOfClosed: file, mainQueue: mainQueue)
    }
}
