public import Foundation
public import StrataPersistence

/// Rows that are created once, with a new stack over a copy of them for every test.
///
/// ```swift
/// let palette = try PreparedStack(model: ReferenceModel.model()) { context in
///     for name in names { try context.insert(Color.self) { Color(id: $0, hex: hex, name: name, dateCreated: .now) } }
/// }
/// let container = try palette.container()
/// ```
///
/// The rows may also come from a store file, which `strata generate --model MODEL --store fixtures.sqlite` creates:
///
/// ```swift
/// let fixtures = try PreparedStack(model: ReferenceModel.model(), copyOf: url)
/// ```
///
/// The cost of a copy is independent of the number of rows, because the rows are shared until one copy changes them. No
/// test sees the changes of another test.
///
/// Create the value once, for example in a static property of a test suite, and call ``container()`` in each test.
/// Several threads may call it at the same time.
///
/// ## Topics
///
/// ### Preparing rows
///
/// - ``init(model:_:)``
/// - ``init(model:preparing:)``
/// - ``init(model:copyOf:)``
///
/// ### Creating a stack for a test
///
/// - ``container()``
public struct PreparedStack: Sendable {
    private let store: InMemoryStore

    /// Creates the rows.
    ///
    /// The closure runs on a background context, while the calling thread waits. The rows pass all rules of the model
    /// when they are saved.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - fill: A closure that inserts the rows; its unsaved changes are saved.
    /// - Throws: `PersistenceError`, or the error of `fill`.
    public init(model: ManagedObjectModel, _ fill: @Sendable (ConfinedContext) throws -> Void) throws {
        try self.init(
            model: model,
            preparing: { container in
                try container.backgroundContext.performAndWait { context in
                    try fill(context)
                    try context.save()
                }
            })
    }

    /// Creates the rows with code that takes a container, for example a batch, an import or a generator.
    ///
    /// ```swift
    /// let prepared = try PreparedStack(model: model, preparing: { try dataset.store(in: $0) })
    /// ```
    ///
    /// The initializer keeps the store, not the container. Do not use the container after `prepare` has returned: its
    /// changes would be part of later copies.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - prepare: A closure that fills the container, which is loaded, empty and in memory.
    /// - Throws: `PersistenceError`, or the error of `prepare`.
    public init(model: ManagedObjectModel, preparing prepare: (PersistentContainer) throws -> Void) throws {
        let store = InMemoryStore(model: model)
        let container = try PersistentContainer(
            model: model, .custom("in-memory") { _ in store }, mainQueue: .private)
        try prepare(container)
        self.store = store
    }

    /// Reads the rows of a store file into memory once.
    ///
    /// The initializer reads all data of the file: rows with their identifiers, join rows with their order, the next
    /// identifiers, and the metadata of users. Another program may have written the file. The rows are therefore
    /// checked by the model's rules. The file is unchanged, byte for byte, may be in a read-only location, and is not
    /// needed afterwards.
    ///
    /// - Parameters:
    ///   - model: The model of the store.
    ///   - url: The file of the SQLite store.
    /// - Throws: `PersistenceError` if there is no store, and none is created; if the store has another model; or for a
    ///   row that breaks a rule.
    /// - Complexity: O(*n*) in the number of rows and join rows.
    public init(model: ManagedObjectModel, copyOf url: URL) throws {
        store = try InMemoryStore(copyOf: url, model: model)
    }

    /// Returns a loaded stack over a copy of the rows.
    ///
    /// Each call returns an independent container. Its main context uses a separate queue. The identifiers of the rows
    /// are those of the prepared rows, and new rows get the following identifiers.
    ///
    /// - Returns: The container.
    /// - Throws: Never in practice, because the rows exist as long as this value.
    /// - Complexity: Independent of the number of rows.
    public func container() throws -> PersistentContainer {
        try PersistentContainer.inMemory(copyOf: store)
    }
}
