import Synchronization

/// Stands between contexts and the store: passes requests on, and tells contexts of each other's saves.
public final class PersistentStoreCoordinator: Sendable {
    private struct Listener {
        weak var context: ManagedObjectContext?
    }

    /// The model.
    public let model: ManagedObjectModel
    /// The store.
    public let store: any PersistentStore
    private let listeners = Mutex<[Listener]>([])
    private let turns = Mutex(())

    init(store: any PersistentStore) {
        self.store = store
        model = store.model
    }

    func fetch(_ request: StoreRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try store.fetch(request, body)
    }

    func count(_ request: StoreRequest) throws -> Int { try store.count(request) }

    func save(_ changes: ChangeSet) throws -> [StoreConflict] { try store.save(changes) }

    /// Runs one such piece of work at a time, whichever context it comes from.
    ///
    /// It blocks, so it belongs on a context's queue.
    func takingTurns<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
        try turns.withLock { _ in try body() }
    }

    func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        try store.reserveIdentifiers(count, of: entity)
    }

    func add(_ context: ManagedObjectContext) {
        listeners.withLock { listeners in
            listeners.removeAll { $0.context == nil }
            listeners.append(Listener(context: context))
        }
    }

    /// Tells every other context what was saved. Nobody is waited for.
    func announce(_ changes: SavedChanges, from sender: MergeMailbox?) {
        let contexts = listeners.withLock { $0.compactMap(\.context) }
        for context in contexts { context.receive(changes, from: sender) }
    }
}
