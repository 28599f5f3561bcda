import StrataCore
public import StrataStoreKit

/// An object between the contexts and the store of a container, which forwards requests to the store and notifies
/// contexts of each other's saves.
///
/// A program rarely needs the coordinator. Its ``store`` reads rows without a context, for example for an export or a
/// report, and any thread may do so. Do not write to the store directly: no context is then notified, and cached rows
/// stay outdated. Use the batches of ``PersistentContainer`` instead.
///
/// The coordinator has no queue. Each call runs on the thread of its caller, usually the queue of a context, and blocks
/// it until the store has answered. All state of the coordinator is immutable or protected by a lock.
///
/// ## Topics
///
/// - ``model``
/// - ``store``
public final class PersistentStoreCoordinator: Sendable {
    /// The model of the container.
    public let model: ManagedObjectModel
    /// The open store of the container.
    ///
    /// ``PersistentContainer/close()`` closes it. Afterwards its methods throw ``PersistenceError/Code/closed``.
    public let store: any PersistentStore
    /// The contexts that save to the store.
    let contexts = SaveSubscribers()
    let rowLocks = RowLockQueue()
    let rowCache: RowCache
    let counterpartLog: CounterpartLog
    let generations = QueryGenerations()
    /// The reports of operations; `nil` if the store has no observer of operations.
    let meter: OperationMeter?
    /// The author of the container's transactions in the history of the store.
    let author: String?
    /// The maximum count of transactions that are merged one by one.
    private static let mostRecorded = 1000
    /// The last transaction of the history whose changes the contexts were notified of.
    private let seen = Guarded<HistoryToken?>(nil)
    /// The observed values, which are notified of all commits.
    let observers = ChangeObservers()
    /// The subscribers to changes that other containers make.
    let remoteChanges = RemoteChangeSubscribers()
    /// The entities without Swift record types that were requested so far, by name.
    private let dynamicEntities = Guarded<[String: RecordEntity<DynamicRecord>]>([:])

    init(store: any PersistentStore, rowCache: RowCache, meter: OperationMeter? = nil, author: String? = nil) {
        (self.rowCache, self.meter, self.author) = (rowCache, meter, author)
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

    /// Writes a change set to the store in one transaction: all changes or, if there is a conflict, none.
    ///
    /// The method does not notify contexts; after a successful save, the caller calls ``publish(_:from:)``.
    ///
    /// - Parameters:
    ///   - changes: The changes with the row versions that the context read.
    ///   - context: The name of the context, for the history of the store.
    /// - Returns: The conflicts: rows that another writer changed or deleted since the context read them. If the array
    ///   is not empty, nothing was written.
    /// - Throws: ``PersistenceError``; with code ``PersistenceError/Code/unknownOutcome`` if it is unknown whether the
    ///   commit succeeded.
    func save(_ changes: ChangeSet, from context: String) throws -> [StoreConflict] {
        let conflicts = try invalidatingCacheOnUnknownOutcome(changes.entities.keys) {
            try operate(.save, changes.entities.count == 1 ? changes.entities.keys.first : nil) { rows in
                rows = changes.entities.values.reduce(0) {
                    $0 + $1.insertions.count + $1.updates.count + $1.deletions.count
                }
                return try writing(in: context) { try store.save(changes) }
            }
        }
        // A conflict shows that another writer changed the row. The cached row is old, so later reads must not use it.
        for conflict in conflicts { rowCache.forget(conflict.entity, [conflict.id]) }
        return conflicts
    }

    /// Runs a write, whose author and context the history of the store records.
    func writing<Result>(in context: String?, _ write: () throws -> Result) throws -> Result {
        guard store.history != nil else { return try write() }
        var origin = WriteOrigin.current
        (origin.author, origin.context) = (origin.author ?? author, context)
        if origin.move?.context != context { origin.move = nil }
        return try WriteOrigin.$current.withValue(origin, operation: write)
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

    /// Runs an operation, and reports it if the store has an observer of operations.
    func operate<Result>(
        _ kind: StoreOperation.Kind, _ entity: String?,
        explain: (@Sendable () throws -> StatementExplanation?)? = nil, _ work: (inout Int) throws -> Result
    ) throws -> Result {
        if let meter { return try meter.report(kind, entity, explain: explain, work) }
        var rows = 0
        return try work(&rows)
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

    /// Reserves consecutive identifiers of an entity, which no other reservation, in any process, returns.
    func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        try store.reserveIdentifiers(count, of: entity)
    }

    /// Notifies the row cache, and every context except the one that saved, of a change in the store.
    ///
    /// The method is called once after each transaction. It does not wait for the contexts, which merge the change on
    /// their own queues. Rows are removed from the cache first, so that a context that merges reads the new rows.
    ///
    /// - Parameters:
    ///   - change: The rows that the transaction changed.
    ///   - sender: The pending merge of the saving context, which is not notified; `nil` if no context saved.
    func publish(_ change: StoreChange, from sender: PendingMerge?) {
        rowCache.forget(change)
        if change.origin == .batch { counterpartLog.note(change) }
        contexts.announce(MergeNotice(change), from: sender)
        observers.announce(change)
    }

    /// Subscribes to the changes that other containers make in the store.
    func observeRemoteChanges() throws {
        if let history = store.history, try history.level() != .off {
            let token = try history.newestToken()
            seen.withLock { $0 = token }
        }
        try store.observeRemoteChanges { [weak self] entities in self?.receive(entities) }
    }

    /// Returns the changes that the history of the store contains since the last call; `nil` if the store keeps none,
    /// or if there are too many.
    private func recordedChange() -> StoreChange? {
        guard let history = store.history, history.isImmediate, let token = seen.withLock({ $0 }) else { return nil }
        do {
            let transactions = try history.transactions(
                after: token, limit: Self.mostRecorded, HistoryRequest())
            guard transactions.count < Self.mostRecorded, let last = transactions.last else {
                let newest = try history.newestToken()
                seen.withLock { $0 = newest }
                return nil
            }
            seen.withLock { $0 = last.token }
            // Without a transaction of others, a program that records none has committed.
            let others = transactions.filter { $0.process != history.process }
            return others.isEmpty ? nil : StoreChange(others.flatMap(\.changes), in: model)
        } catch {
            // The history was deleted or turned off meanwhile, or the store is closed: everything counts as changed.
            return nil
        }
    }

    /// Processes the changes that other containers made.
    ///
    /// The changed rows are removed from the cache before the contexts and the subscribers are notified, because these
    /// then read the rows again.
    private func receive(_ entities: Set<String>) {
        let change = recordedChange() ?? StoreChange(unknownIn: entities)
        rowCache.forget(change)
        contexts.announce(MergeNotice(change), from: nil)
        remoteChanges.announce(change.origin == .history ? change.affectedEntities(in: model) : entities)
        observers.announce(change)
    }
}
