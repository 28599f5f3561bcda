import PersistenceTestSupport
import StrataCore
import StrataStoreKit

@testable import StrataPersistence

/// The collaborators of a context over the library in an in-memory store, connected to each other without the context.
///
/// Each test builds its collaborators and uses them on its own thread only.
final class Collaborators {
    let events = ContextEvents()
    let readAhead = ReadAheadData()
    let children = SaveSubscribers()
    let stack: TestStack
    private let hookCaller: HookClosure?
    let hooks: HookRunner
    let pending: PendingChanges
    let tracker: ChangeTracker
    let registry: ObjectRegistry
    let reader: ObjectReader
    let propagator: ChangePropagator
    let fetcher: Fetcher
    let inserter: ObjectInserter
    let editor: RelationshipEditor
    let merger: ContextMerger
    let uniqueness: UniquenessResolver
    let target: SaveTarget
    let saver: ContextSaver
    let transactions: TransactionRunner
    let receiver: ChildSaveReceiver

    /// Creates the collaborators of a context, by default of a context that saves to a store with the library.
    ///
    /// If `onHook` is not `nil`, every record type has hooks, and the closure receives their calls.
    init(
        _ stack: TestStack? = nil, parent: Collaborators? = nil, policy: MergePolicy = .error,
        pendingMerge: PendingMerge? = nil, onHook: ((LifecycleHook, ManagedObject) throws -> Void)? = nil
    ) throws {
        self.stack = try stack ?? parent?.stack ?? StoreKind.inMemory.library()
        let coordinator = self.stack.container.coordinator
        let identifiers = parent?.inserter.identifiers ?? IdentifierBlocks(coordinator)
        hooks = HookRunner()
        if let onHook {
            let caller = HookClosure(onHook)
            hookCaller = caller
            hooks.attach(caller)
        } else {
            hookCaller = nil
        }
        pending = PendingChanges(coordinator.counterpartLog, pendingMerge)
        tracker = ChangeTracker(name: "parts", hooks: hooks, pending: pending, readAhead: readAhead)
        registry = ObjectRegistry(coordinator: coordinator, context: tracker) { entity, model in
            RecordTraits(
                entity, orderedReferences: entity.orderedReferences(in: model), hasHooks: onHook != nil,
                hasRules: false)
        }
        reader = ObjectReader(
            registry: registry, pending: pending, readAhead: readAhead, hooks: hooks, coordinator: coordinator,
            parent: parent?.reader)
        propagator = ChangePropagator(reader: reader, events: events, parent: parent?.propagator)
        fetcher = Fetcher(propagator)
        inserter = ObjectInserter(propagator, identifiers: identifiers)
        editor = RelationshipEditor(propagator)
        merger = ContextMerger(propagator, identifiers: identifiers, children: children, parent: parent?.merger)
        uniqueness = UniquenessResolver(propagator)
        target = SaveTarget(
            registry: registry, parent: parent.map { .context($0.receiver) } ?? .store(coordinator),
            sender: pendingMerge, children: children)
        saver = ContextSaver(propagator, target: target, policy: SavePolicy(policy))
        transactions = TransactionRunner(propagator, saver: saver)
        receiver = ChildSaveReceiver(propagator, identifiers: identifiers, children: children)
    }

    var store: any PersistentStore { stack.container.coordinator.store }

    func author(_ id: LibraryID) throws -> Managed<Author> { try fetcher.existingObject(with: id, in: Author.entity) }

    func book(_ id: LibraryID) throws -> Managed<Book> { try fetcher.existingObject(with: id, in: Book.entity) }

    func contract(_ id: LibraryID) throws -> Managed<Contract> {
        try fetcher.existingObject(with: id, in: Contract.entity)
    }

    /// Returns the stored values of a column, by identifier.
    func stored(_ column: String, of entity: String) throws -> [StoredValue] {
        let description = try registry.model.entity(named: entity)
        guard let index = description.columnIndex(column) else { return [] }
        return try store.rows(StoreRequest(entity)).sorted { $0.id < $1.id }.map { $0.values[index] }
    }
}

/// A closure that receives the calls of hooks, in place of a context.
final class HookClosure: HookCaller {
    private let body: (LifecycleHook, ManagedObject) throws -> Void

    init(_ body: @escaping (LifecycleHook, ManagedObject) throws -> Void) { self.body = body }

    func call(_ hook: LifecycleHook, on object: ManagedObject) throws { try body(hook, object) }
}
