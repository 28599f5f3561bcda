public import Persistence

/// Rows made once, and a fresh stack over a copy of them for every test.
///
/// ```swift
/// let palette = try PreparedStack(model: ReferenceModel.model()) { context in
///     for name in names { try context.insert(Color.self) { Color(id: $0, hex: hex, name: name) } }
/// }
/// let container = try palette.container()
/// ```
///
/// A copy costs the same however many rows there are: the rows are shared until one of the two changes them. No test sees what another does.
public struct PreparedStack: Sendable {
    private let store: InMemoryStore

    /// Makes the rows.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - fill: Inserts; what it leaves unsaved is saved.
    /// - Throws: `PersistenceError`, or what `fill` throws.
    public init(model: ManagedObjectModel, _ fill: @Sendable (WorkingContext) throws -> Void) throws {
        let store = InMemoryStore(model: model)
        let container = try PersistentContainer(
            model: model, .custom("in-memory") { _ in store }, mainQueue: .private)
        try container.backgroundContext.performAndWait { context in
            try fill(context)
            try context.save()
        }
        self.store = store
    }

    /// A loaded stack over a copy of the rows.
    ///
    /// - Returns: The container.
    /// - Throws: Nothing in practice: the rows live as long as this value.
    public func container() throws -> PersistentContainer {
        try PersistentContainer.inMemory(copyOf: store)
    }
}
