public import Foundation
public import StrataPersistence

/// Rows made once, and a fresh stack over a copy of them for every test.
///
/// ```swift
/// let palette = try PreparedStack(model: ReferenceModel.model()) { context in
///     for name in names { try context.insert(Color.self) { Color(id: $0, hex: hex, name: name, dateCreated: .now) } }
/// }
/// let container = try palette.container()
/// ```
///
/// Or rows that stand in a store file, as `strata generate --model MODEL --store fixtures.sqlite` makes one:
///
/// ```swift
/// let fixtures = try PreparedStack(model: ReferenceModel.model(), copyOf: url)
/// ```
///
/// A copy costs the same however many rows there are: the rows are shared until one of the two changes them. No test
/// sees what another does.
public struct PreparedStack: Sendable {
    private let store: InMemoryStore

    /// Makes the rows.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - fill: Inserts; what it leaves unsaved is saved.
    /// - Throws: `PersistenceError`, or what `fill` throws.
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

    /// Has the rows made by whatever takes a container: a batch, an import, a generator.
    ///
    /// ```swift
    /// let prepared = try PreparedStack(model: model, preparing: { try dataset.store(in: $0) })
    /// ```
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - prepare: Fills the container, which is loaded, empty and in memory.
    /// - Throws: `PersistenceError`, or what `prepare` throws.
    public init(model: ManagedObjectModel, preparing prepare: (PersistentContainer) throws -> Void) throws {
        let store = InMemoryStore(model: model)
        let container = try PersistentContainer(
            model: model, .custom("in-memory") { _ in store }, mainQueue: .private)
        try prepare(container)
        self.store = store
    }

    /// Reads the rows of a store file once into memory.
    ///
    /// Takes all that the file holds: rows with their identifiers, many-to-many pairs with their order, the next
    /// identifiers, and what users kept in the store. Rows are checked by the model's rules, because another program may
    /// have written the file. It stays as it is, byte for byte, and is not needed afterwards; it may stand where
    /// nothing can be written.
    ///
    /// - Parameters:
    ///   - model: The model that the store was made with.
    ///   - url: The SQLite store's file.
    /// - Throws: `PersistenceError` when there is no store, and none is made; when it is another model's; or for a row
    ///   that breaks a rule.
    /// - Complexity: O(*n*) in the rows and pairs.
    public init(model: ManagedObjectModel, copyOf url: URL) throws {
        store = try InMemoryStore(copyOf: url, model: model)
    }

    /// A loaded stack over a copy of the rows.
    ///
    /// - Returns: The container.
    /// - Throws: Nothing in practice: the rows live as long as this value.
    public func container() throws -> PersistentContainer {
        try PersistentContainer.inMemory(copyOf: store)
    }
}
