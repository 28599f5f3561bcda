public import Foundation
public import StrataPersistence

/// Rows made once, and a fresh SQLite store with a copy of them for every test that needs a real file.
///
/// ```swift
/// let onDisk = try PreparedStore(model: ReferenceModel.model(), copyOf: url)
/// let stack = try onDisk.temporaryCopy()
/// ```
///
/// A copy is the copy of a closed file, so its cost grows with the rows; ``PreparedStack`` copies in memory in no time.
/// No test sees what another does. All copies have the same store identifier.
public struct PreparedStore: Sendable {
    private let model: ManagedObjectModel
    /// Holds the file that is copied, which nobody has open.
    private let folder: TemporaryFolder

    private var file: URL { folder.file(TemporaryStack.fileName) }

    /// Takes the rows from a store file, for instance one that `strata generate --store` made.
    ///
    /// The file stays as it is, byte for byte, and is not needed afterwards. It may stand where nothing can be written,
    /// and others may use it.
    ///
    /// - Parameters:
    ///   - model: The model that the store was made with.
    ///   - url: The SQLite store's file.
    /// - Throws: `PersistenceError` when there is no store, and none is made; when it is another model's; or when it
    ///   cannot be copied.
    public init(model: ManagedObjectModel, copyOf url: URL) throws {
        self.model = model
        folder = try TemporaryFolder()
        try SQLiteStore.copy(at: url, to: file, model: model)
        // Turns the log on once, so that no copy has to.
        try SQLiteStore.open(at: file, model: model).close()
    }

    /// Makes the rows.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - fill: Inserts; what it leaves unsaved is saved.
    /// - Throws: `PersistenceError`, or what `fill` throws.
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

    /// A loaded stack over a copy of the rows, in a temporary folder of its own.
    ///
    /// - Parameter mainQueue: Where the main context works; in tests nothing runs the main queue, so on a queue of its
    ///   own.
    /// - Returns: The stack.
    /// - Throws: `PersistenceError`, or what the file system says when there is no room for a copy.
    public func temporaryCopy(mainQueue: PersistentContainer.MainQueue = .private) throws -> TemporaryStack {
        try TemporaryStack(model: model, copyOfClosed: file, mainQueue: mainQueue)
    }
}
