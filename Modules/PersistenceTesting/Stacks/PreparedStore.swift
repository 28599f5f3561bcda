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
public struct PreparedStore: Sendable {
    private let model: ManagedObjectModel
    /// The folder with the file that is copied, which is not open.
    private let folder: TemporaryFolder

    private var file: URL { folder.file(TemporaryStack.fileName) }

    /// Reads the rows from a store file, for example one that `strata generate --store` created.
    ///
    /// The file is unchanged, byte for byte, and is not needed afterwards. It may be in a read-only location, and other
    /// processes may use it.
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
    /// - Parameter mainQueue: The queue of the main context (default: a separate queue, because no test runs the main
    ///   queue).
    /// - Returns: The stack.
    /// - Throws: `PersistenceError`, or the error of the file system if there is no space for a copy.
    public func temporaryCopy(mainQueue: PersistentContainer.MainQueue = .private) throws -> TemporaryStack {
        try TemporaryStack(model: model, copyOfClosed: file, mainQueue: mainQueue)
    }
}
