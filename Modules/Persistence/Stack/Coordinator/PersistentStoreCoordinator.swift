import StrataCore
public import StrataStoreKit

/// An object between the contexts and the store of a container, which forwards requests to the store and notifies
/// contexts of each other's saves.
public final class PersistentStoreCoordinator: Sendable {
    /// The model of the container.
    public let model: ManagedObjectModel
    /// The open store of the container.
    public let store: any PersistentStore
    /// The contexts that save to the store.
    let contexts = SaveSubscribers()
    let rowLocks = RowLockQueue()
    let rowCache: RowCache
    let counterpartLog: CounterpartLog
    /// The subscribers to changes that other containers make.
    let remoteChanges = RemoteChangeSubscribers()
    /// The entities without Swift record types that were requested so far, by name.
    private let dynamicEntities = Guarded<[String: RecordEntity<DynamicRecord>]>([:])

    init(store: any PersistentStore, rowCache: RowCache) {
        self.rowCache = rowCache
        self.store = store
        model = store.model
        counterpartLog = CounterpartLog(store.model)
    }

    /// Returns the entity with a name, with its record type, or with ``DynamicRecord`` if the model has no record type
    /// for it.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the model has no such
    ///   entity.
    func recordEntity(of name: String) throws -> any AnyRecordEntity {
        if let declared = model.registeredEntity(of: name) { return declared }
        return try dynamicEntities.withLock { known in
            if let entity = known[name] { return entity }
            let entity = try model.dynamicEntity(name)
            known[name] = entity
            return entity
        }
    }

    func fetch(_ request: StoreRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try store.fetch(request, body)
    }

    func fetchRow(_ id: Int64, of entity: EntityDescription, _ body: (RowReader) throws -> Void) throws {
        try store.fetchRow(id, of: entity, body)
    }

    func count(_ request: StoreRequest) throws -> Int { try store.count(request) }

    func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        let conflicts = try invalidatingCacheOnUnknownOutcome(changes.entities.keys) { try store.save(changes) }
        // A conflict shows that another writer changed the row. The cached row is old, so later reads must not use it.
        for conflict in conflicts { rowCache.forget(conflict.entity, [conflict.id]) }
        return conflicts
    }

    /// Runs a write; if it is unknown whether the write was committed, removes the cached rows of the given entities.
    ///
    /// Later reads then return the rows of the store.
    func invalidatingCacheOnUnknownOutcome<Result>(_ entities: some Sequence<String>, _ write: () throws -> Result)
        throws -> Result
    {
        do { return try write() } catch let error as PersistenceError where error.code == .unknownOutcome {
            for entity in entities { rowCache.forgetAll(of: entity) }
            throw error
        }
    }

    /// Returns a Boolean value that indicates whether the store has a row with an identifier in a range.
    func hasRow(of entity: String, in identifiers: ClosedRange<Int64>) throws -> Bool {
        let condition = FetchCondition.isIn(.property("id"), identifiers.map(StoredValue.integer))
        var isFound = false
        try store.fetch(StoreRequest(entity, where: condition, limit: 1)) { _ in
            isFound = true
            return .stop
        }
        return isFound
    }

    func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        try store.reserveIdentifiers(count, of: entity)
    }

    /// Notifies the row cache, and every context except the one that saved, of a change in the store.
    func publish(_ change: StoreChange, from sender: PendingMerge?) {
        rowCache.forget(change)
        if change.origin == .batch { counterpartLog.note(change) }
        contexts.announce(MergeNotice(change), from: sender)
    }

    /// Subscribes to the changes that other containers make in the store.
    func observeRemoteChanges() throws {
        try store.observeRemoteChanges { [weak self] entities in self?.receive(entities) }
    }

    /// Processes the changes that other containers made.
    ///
    /// The changed rows are removed from the cache before the subscribers are notified, because subscribers then read
    /// these rows again.
    private func receive(_ entities: Set<String>) {
        for entity in entities { rowCache.forgetAll(of: entity) }
        remoteChanges.announce(entities)
    }
}
