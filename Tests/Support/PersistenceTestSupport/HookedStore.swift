package import StrataPersistence
package import StrataStoreKit
import StrataTesting

/// A store that lets a test run code before a save or a fetch, for example the write of another writer.
package final class HookedStore: PersistentStore {
    package let base: any PersistentStore
    /// A closure that runs before a save with the number of earlier saves; its own calls run no hooks.
    package let beforeSave = Guarded<(@Sendable (any PersistentStore, Int) throws -> Void)?>(nil)
    /// An error that fetches throw while it is set.
    package let fetchFailure = Guarded<PersistenceError?>(nil)
    /// A closure that runs before a fetch or cursor returns a row, with the row's number from 1.
    package let beforeRow = Guarded<(@Sendable (Int) -> Void)?>(nil)
    /// A closure that runs when a cursor is released.
    package let afterCursor = Guarded<(@Sendable () -> Void)?>(nil)
    /// An error that transactions and bulk writes throw after their commit while it is set.
    package let failureBehindCommit = Guarded<PersistenceError?>(nil)
    /// The saved changes, if they are recorded.
    package let keptChanges = Guarded<[ChangeSet]?>(nil)
    /// The closure that the store notifies of other writers' changes, if one is set.
    package let observer = Guarded<(@Sendable (Set<String>) -> Void)?>(nil)
    private let saves = Guarded(0)

    package init(_ base: any PersistentStore) { self.base = base }

    package var model: ManagedObjectModel { base.model }

    package func information() throws -> StoreInformation { try base.information() }

    package func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        if let failure = fetchFailure.withLock({ $0 }) { throw failure }
        guard let hook = beforeRow.withLock({ $0 }) else { return try base.fetch(request, body) }
        var number = 0
        try base.fetch(request) { row in
            number += 1
            hook(number)
            return try body(row)
        }
    }

    package func count(_ request: ResolvedRequest) throws -> Int { try base.count(request) }

    package func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        HookedCursor(try base.openCursor(request), self)
    }

    package func openSnapshots(_ count: Int) throws -> [any StoreSnapshot] { try base.openSnapshots(count) }

    package func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        if let failure = fetchFailure.withLock({ $0 }) { throw failure }
        try base.joins(request, body)
    }

    package func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        if let hook = beforeSave.withLock({ $0 }) {
            try hook(
                base,
                saves.withLock { saves in
                    defer { saves += 1 }
                    return saves
                })
        }
        keptChanges.withLock { $0?.append(changes) }
        return try base.save(changes)
    }

    package func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        try base.reserveIdentifiers(count, of: entity)
    }

    package func writeRows(_ body: (any RowWriter) throws -> Void) throws {
        try base.writeRows(body)
        if let failure = failureBehindCommit.withLock({ $0 }) { throw failure }
    }

    package func metadata(forKey key: String) throws -> String? { try base.metadata(forKey: key) }

    package func observeRemoteChanges(_ handler: @escaping @Sendable (Set<String>) -> Void) throws {
        observer.withLock { $0 = handler }
    }

    package func close() throws { try base.close() }

    package func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        try base.transaction(body)
        if let failure = failureBehindCommit.withLock({ $0 }) { throw failure }
    }
}

/// A cursor with a store's hooks.
private final class HookedCursor: RowCursor {
    private let base: any RowCursor
    private let store: HookedStore
    private var number = 0

    init(_ base: any RowCursor, _ store: HookedStore) {
        self.base = base
        self.store = store
    }

    deinit { store.afterCursor.withLock { $0 }?() }

    func next(_ body: (RowReader) throws -> Void) throws -> Bool {
        try base.next { row in
            number += 1
            store.beforeRow.withLock { $0 }?(number)
            try body(row)
        }
    }
}

extension StoreKind {
    /// Returns a stack over a store of this kind with hooks.
    package func hooked(_ model: ManagedObjectModel) throws -> (stack: TestStack, store: HookedStore) {
        let folder = try TemporaryFolder()
        let store = HookedStore(try open(model, in: folder))
        let container = try PersistentContainer(
            model: model, .custom("hooked") { _ in store }, mainQueue: .private)
        return (TestStack(container: container, folder: folder), store)
    }
}
