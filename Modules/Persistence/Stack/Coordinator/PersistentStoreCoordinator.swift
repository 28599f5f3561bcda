import StrataCore

/// Stands between contexts and the store: passes requests on, and tells contexts of each other's saves.
public final class PersistentStoreCoordinator: Sendable {
    /// The model.
    public let model: ManagedObjectModel
    /// The store.
    public let store: any PersistentStore
    /// The contexts that save into the store.
    let contexts = SaveSubscribers()
    let rowLocks = RowLockQueue()
    let rowCache: RowCache
    let partnerLog: PartnerLog
    /// Who is told what others have written.
    let remoteChanges = RemoteChangeSubscribers()
    /// The entities whose records have no type of their own, as far as they were asked for.
    private let dynamicEntities = Guarded<[String: RecordEntity<DynamicRecord>]>([:])

    init(store: any PersistentStore, rowCache: RowCache) {
        self.rowCache = rowCache
        self.store = store
        model = store.model
        partnerLog = PartnerLog(store.model)
    }

    /// An entity with its record type, or with ``DynamicRecord`` where the model was made without one.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when the model has no such entity.
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
        let conflicts = try lookingAfterwards(changes.entities.keys) { try store.save(changes) }
        // What others wrote meanwhile was noticed here: who reads again is not to get the old rows again.
        for conflict in conflicts { rowCache.forget(conflict.entity, [conflict.id]) }
        return conflicts
    }

    /// Runs what writes; where it is not known whether that was stored, whoever looks gets what the store has.
    func lookingAfterwards<Result>(_ entities: some Sequence<String>, _ write: () throws -> Result) throws -> Result {
        do { return try write() } catch let error as PersistenceError where error.code == .unknownOutcome {
            for entity in entities { rowCache.forgetAll(of: entity) }
            throw error
        }
    }

    /// Returns whether the store has a row with one of some identifiers.
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

    /// Publishes what changed in the store, once: to the cache of rows and to every context but the one that saved.
    func publish(_ change: StoreChange, from sender: PendingMerge?) {
        rowCache.forget(change)
        if change.origin == .batch { partnerLog.note(change) }
        contexts.announce(MergeNotice(change), from: sender)
    }

    /// Has the store tell what others write.
    func observeRemoteChanges() throws {
        try store.observeRemoteChanges { [weak self] entities in self?.receive(entities) }
    }

    /// Takes what others have written: rows leave the cache before anybody is told, who then reads them again.
    private func receive(_ entities: Set<String>) {
        for entity in entities { rowCache.forgetAll(of: entity) }
        remoteChanges.tell(entities)
    }
}
