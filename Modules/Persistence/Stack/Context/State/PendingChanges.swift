import StrataCore
import StrataStoreKit

/// The unsaved changes of a context that are not values of objects, and the notices of others' saves.
///
/// The state consists of deletions, join rows, one-to-one counterparts, writes to detached objects, the savepoints of
/// running transactions, the successors of merged objects, and notices that are not merged yet. The values of changed
/// objects are in the objects themselves, and the identity maps list the changed objects. The instance is confined to
/// the context's queue.
final class PendingChanges {
    /// The deletions that are not saved yet.
    private(set) var deletions = DeletionState()
    /// The objects that received a one-to-one counterpart since the last resolution.
    private(set) var counterparts = CounterpartState()
    /// The unsaved changes of many-to-many relationships, by the name of the join table.
    private(set) var joins: [String: PendingJoins] = [:]
    /// The writes to deleted or detached objects, which no save can store.
    private var detachedWrites = DetachedWrites()
    /// The savepoints at the beginning of the running transactions, the outermost first.
    private var savepoints: [Savepoint] = []
    /// The identifiers of the existing objects into which new objects were merged, by entity and by identifier of the
    /// new object.
    ///
    /// The entries remain until the context is reset.
    private var successors: [String: [Int64: Int64]] = [:]
    /// The changes that other contexts saved and that this context has not merged yet.
    private var inbox: MergeInbox
    private let log: CounterpartLog
    /// The time of the counterpart log up to which the context knows which object has each one-to-one counterpart.
    private var view: CounterpartLog.View

    init(_ log: CounterpartLog, _ pendingMerge: PendingMerge? = nil) {
        self.log = log
        inbox = MergeInbox(pendingMerge)
        view = log.newView()
    }

    // MARK: Deletions

    /// Records that an object was deleted.
    func noteDeletion(_ object: ManagedObject) { deletions.note(object) }

    /// Records that a new object was deleted before it was saved.
    func noteDiscarded(_ object: ManagedObject) { deletions.discard(object) }

    /// Removes the deletion of a new object and its join rows, because another object receives its identifier.
    func forgetDiscarded(_ id: Int64, of entity: String) {
        deletions.forgetDiscarded(id, of: entity)
        forgetJoinRows(of: entity, id)
    }

    /// Records that the delete rules were applied.
    func propagatedDeletions() { deletions.propagated() }

    /// Returns a Boolean value that indicates whether pending delete rules may delete objects of an entity.
    func mayDelete(_ entity: String, in model: ManagedObjectModel) -> Bool { deletions.mayReach(entity, in: model) }

    /// Runs the hook before an object's deletion, unless the hook is running already.
    ///
    /// - Returns: `false` if the hook is running already, so that two objects whose hooks delete each other are deleted
    ///   only once.
    func runDeletionHook(of object: ManagedObject, _ hook: () -> Void) -> Bool {
        guard deletions.beginHook(object) else { return false }
        defer { deletions.endHook(object) }
        hook()
        return true
    }

    // MARK: Detached writes

    /// A Boolean value that indicates whether a deleted or detached object was written to.
    var hasDetachedWrites: Bool { !detachedWrites.isEmpty }

    /// Records a write to a deleted or detached object.
    func noteDetachedWrite(to object: ManagedObject) { detachedWrites.note(object) }

    /// Throws an error for the first write to a deleted or detached object if there is one, and discards all of them.
    func throwDetachedWrite() throws(PersistenceError) { try detachedWrites.throwFirst() }

    // MARK: Join rows

    /// Returns a Boolean value that indicates whether a save would write join rows.
    ///
    /// The closure `isDeleted` returns whether the context deleted an object.
    func hasJoinChanges(isDeleted: (_ entity: String, _ id: Int64) -> Bool) -> Bool {
        joins.values.contains { $0.hasChanges(isDeleted: isDeleted) }
    }

    /// Returns a Boolean value that indicates whether a join table has unsaved changes.
    func hasChanges(of join: JoinDescription) -> Bool { joins[join.name]?.isEmpty == false }

    /// Adds a join row.
    func add(_ row: JoinRow, to join: JoinDescription) { joins[join.name, default: PendingJoins(join)].add(row) }

    /// Removes a join row.
    func remove(_ pair: JoinPair, from join: JoinDescription) {
        joins[join.name, default: PendingJoins(join)].remove(pair)
    }

    /// Removes the added join rows of an object, because another object receives its identifier or it does not exist.
    func forgetJoinRows(of entity: String, _ id: Int64) {
        for name in joins.keys { joins[name]?.forget(entity, id) }
    }

    /// Removes and returns the added join rows of merged objects, so that the caller can redirect them.
    func takeJoinRows(of join: String, for entity: String, _ ids: some Sequence<Int64>) -> [JoinRow] {
        joins[join]?.take(of: entity, ids) ?? []
    }

    /// Replaces all unsaved join rows by those of an earlier moment.
    func restoreJoins(_ joins: [String: PendingJoins]) { self.joins = joins }

    // MARK: One-to-one counterparts

    /// A Boolean value that indicates whether the model has no one-to-one relationship.
    var ignoresCounterparts: Bool { log.isOff }

    /// The current time of the counterpart log.
    var time: Int { log.time }

    /// Records that an object received a counterpart.
    func noteCounterpart(_ target: Int64, of object: ManagedObject, column: Int) {
        counterparts.note(CounterpartChange(object: object, column: column, target: target, knownAt: view.time))
    }

    /// Records that an object has no counterpart any more, or the one of its row again.
    func forgetCounterpart(of object: ManagedObject, column: Int) { counterparts.forget(object, column: column) }

    /// Removes the changes of counterparts, and restores those that a closure returns.
    ///
    /// If the closure throws an error, all changes remain.
    func resolveCounterparts(_ resolve: ([CounterpartChange]) throws -> [CounterpartChange]) rethrows {
        let changes = counterparts.take()
        do { counterparts.restore(try resolve(changes)) } catch {
            counterparts.restore(changes)
            throw error
        }
    }

    /// Records that the context knows all one-to-one counterparts up to a time of the counterpart log.
    func knowsSavedCounterparts(at time: Int) { view.time = time }

    /// Records that the caller requested the stored owners of all counterparts at a time, also those of unsaved
    /// changes.
    func knowsAllCounterparts(at time: Int) {
        view.time = time
        counterparts.know(at: time)
    }

    /// Returns the counterparts that a save assigns.
    func assignedCounterparts(in changes: ChangeSet) -> [CounterpartKey] { log.counterparts(in: changes) }

    /// Records the counterparts that a save of this context assigned, in the log that other contexts read.
    func publishCounterparts(_ keys: [CounterpartKey]) { log.note(keys, by: view.reader) }

    /// Returns a Boolean value that indicates whether another save may have assigned a counterpart after this context
    /// read its owner.
    func wasReassigned(_ change: CounterpartChange) -> Bool {
        log.wasReassigned(change.key, after: change.knownAt, unknownTo: view.reader)
    }

    // MARK: Saves and rollbacks

    /// Removes all changes, because a save stored them.
    func commit() {
        deletions.clear()
        counterparts.clear()
        joins = [:]
    }

    /// Discards the changes since the innermost running transaction began, or all changes if none is running.
    ///
    /// - Parameter maps: The identity maps of the context, whose objects are rolled back too.
    func rollBack(_ maps: some Sequence<IdentityMap>) {
        guard let savepoint = savepoints.last else {
            commit()
            detachedWrites.clear()
            for map in maps {
                for object in map.current + map.deletedInOrder { map.release(object) }
            }
            return
        }
        (deletions, counterparts) = (savepoint.deletions, savepoint.counterparts)
        (detachedWrites, joins) = (savepoint.detachedWrites, savepoint.pendingJoins)
        for map in maps { savepoint.restore(map) }
    }

    /// The number of running transactions, nested ones included.
    var transactionCount: Int { savepoints.count }

    /// Begins a transaction with a savepoint that contains the present changes.
    func beginTransaction(_ maps: some Sequence<IdentityMap>) {
        savepoints.append(
            Savepoint(
                deletions: deletions, counterparts: counterparts, detachedWrites: detachedWrites,
                pendingJoins: joins, maps))
    }

    /// Ends the innermost transaction.
    func endTransaction() { savepoints.removeLast() }

    // MARK: Saves of other contexts

    /// The notices of other contexts' saves that are not merged yet, or `nil` for the separate context of a unit of
    /// work.
    var pendingMerge: PendingMerge? { inbox.pending }

    /// Returns a notice that arrived, combined with the one whose merge failed, or `nil` if there is neither.
    func takeNotice(_ arrived: MergeNotice?) -> MergeNotice? { inbox.take(arrived) }

    /// Stores a notice whose merge failed, so that it is merged again, and the error that the next read throws.
    func keepNotice(_ notice: MergeNotice, failure error: (any Error)? = nil) { inbox.keep(notice, failure: error) }

    /// Throws the error of the failed merge, if there is one, and removes the error.
    func throwMergeFailure() throws { try inbox.throwFailure() }

    /// Removes the failed merge, after all objects were removed from the context.
    func forgetNotices() { inbox.forget() }

    // MARK: Successors

    /// Returns the identifier of the existing object into which a new object was merged, or `nil`.
    func successor(of object: ManagedObject) -> Int64? { successors[object.entityName]?[object.rawID] }

    /// Records the identifiers of the existing objects into which a save merged new objects.
    func noteSuccessors(_ upserted: [String: [Int64: Int64]]) {
        successors.merge(upserted) { $0.merging($1) { $1 } }
    }

    /// Removes all successors, because the context is reset.
    func forgetSuccessors() { successors = [:] }
}

/// The deleted or detached objects that were written to, although no save can store the writes.
///
/// The next save throws one error for all of them.
struct DetachedWrites {
    private var objects: [ManagedObject] = []

    var isEmpty: Bool { objects.isEmpty }

    mutating func note(_ object: ManagedObject) {
        if !objects.contains(where: { $0 === object }) { objects.append(object) }
    }

    mutating func clear() { objects = [] }

    /// Throws an error for the first object if there is one, and removes all objects.
    mutating func throwFirst() throws(PersistenceError) {
        guard let first = objects.first else { return }
        objects = []
        throw PersistenceError(
            .detachedObject,
            "object \(first.rawID) was written to after it was deleted or its context was reset; the write is lost",
            entity: first.entityName)
    }
}

/// The unsaved deletions of a context.
///
/// This value only stores the deletions; ``DeletePropagation`` reads it and applies the delete rules.
struct DeletionState {
    /// The objects that were deleted since the delete rules were last applied.
    private(set) var unpropagated: [ManagedObject] = []
    /// The new objects that were deleted before they were saved, by entity and identifier.
    ///
    /// The delete rules still apply to references to them.
    private var discarded: [String: [Int64: ManagedObject]] = [:]
    /// The names of the entities whose objects pending delete rules may delete, or `nil` if they are not determined
    /// yet.
    private var reached: Set<String>?
    /// The objects whose hook ``LifecycleHooks/prepareForDeletion(_:in:)`` is running.
    private var inHook: Set<ObjectIdentifier> = []

    /// A Boolean value that indicates whether the delete rules of a deleted object are not applied yet.
    var isPending: Bool { !unpropagated.isEmpty }

    /// A Boolean value that indicates whether a new object was deleted before it was saved.
    var hasDiscarded: Bool { !discarded.isEmpty }

    /// Records that an object was deleted.
    mutating func note(_ object: ManagedObject) {
        unpropagated.append(object)
        reached = nil
    }

    /// Returns a Boolean value that indicates whether pending delete rules may delete objects of an entity.
    mutating func mayReach(_ entity: String, in model: ManagedObjectModel) -> Bool {
        guard isPending else { return false }
        if let reached { return reached.contains(entity) }
        let found = model.cascaded(from: Set(unpropagated.map(\.entityName)))
        reached = found
        return found.contains(entity)
    }

    /// Records that a new object was deleted before it was saved.
    mutating func discard(_ object: ManagedObject) {
        discarded[object.entityName, default: [:]][object.rawID] = object
    }

    /// Returns a Boolean value that indicates whether new objects of an entity were deleted before they were saved.
    func hasDiscarded(of entity: String) -> Bool { discarded[entity]?.isEmpty == false }

    /// Returns a Boolean value that indicates whether the new object with an identifier was deleted before it was
    /// saved.
    func isDiscarded(_ id: Int64, of entity: String) -> Bool { discarded[entity]?[id] != nil }

    /// Returns the new objects of an entity that were deleted before they were saved, ordered by identifier.
    func discardedObjects(of entity: String) -> [ManagedObject] {
        (discarded[entity] ?? [:]).values.sorted { $0.rawID < $1.rawID }
    }

    /// Removes a new object that was deleted before it was saved, because another object receives its identifier.
    mutating func forgetDiscarded(_ id: Int64, of entity: String) {
        discarded[entity]?[id] = nil
        if discarded[entity]?.isEmpty == true { discarded[entity] = nil }
    }

    /// Records that the delete rules were applied.
    mutating func propagated() { (unpropagated, reached) = ([], nil) }

    /// Begins the hook that runs before an object's deletion.
    ///
    /// - Returns: `true` if the hook must run. `false` if it is running already, so that two objects whose hooks delete
    ///   each other are deleted only once.
    mutating func beginHook(_ object: ManagedObject) -> Bool { inHook.insert(ObjectIdentifier(object)).inserted }

    mutating func endHook(_ object: ManagedObject) { inHook.remove(ObjectIdentifier(object)) }

    /// Removes all deletions, after a save or a rollback.
    mutating func clear() { (unpropagated, discarded, reached) = ([], [:], nil) }
}

extension ManagedObjectModel {
    /// Returns the entities whose objects cascades may delete if objects of the given entities are deleted.
    fileprivate func cascaded(from entities: Set<String>) -> Set<String> {
        var found: Set<String> = []
        var waiting = Array(entities)
        while let name = waiting.popLast() {
            for relationship in self[name]?.relationships ?? [] where relationship.deleteRule == .cascade {
                if found.insert(relationship.destination).inserted { waiting.append(relationship.destination) }
            }
        }
        return found
    }
}

/// The objects that received a one-to-one counterpart since the last resolution.
///
/// A resolution removes the counterparts from their previous owners. This value only stores the objects; the context
/// reads and changes previous owners that are only in the store.
struct CounterpartState {
    /// The minimum number of stored changes at which outdated changes are removed.
    private static let leastLimit = 1024

    /// An object that received a counterpart, with the column of the one-to-one relationship.
    private struct Claimant: Hashable {
        let entity: String
        let id: Int64
        let column: Int
    }

    private(set) var changes: [CounterpartChange] = []
    /// The counterpart of each claimant, and the time of the counterpart log up to which the context knew the
    /// counterpart's owner.
    ///
    /// The time is that of the assignment of the counterpart. It does not change with later writes to the claimant or
    /// repeated resolutions, until the claimant is saved.
    private var claims: [Claimant: (target: Int64, time: Int)] = [:]
    /// The number of stored changes at which the outdated ones are removed.
    private var limit = CounterpartState.leastLimit

    var isEmpty: Bool { changes.isEmpty }

    /// Records that an object received a counterpart; for each counterpart, only the latest owner is relevant.
    mutating func note(_ change: CounterpartChange) {
        var change = change
        let claimant = Claimant(entity: change.object.entityName, id: change.object.rawID, column: change.column)
        if let claim = claims[claimant], claim.target == change.target {
            change.knownAt = claim.time
        } else {
            claims[claimant] = (change.target, change.knownAt)
        }
        if let last = changes.last, last == change { return }
        changes.append(change)
        guard changes.count >= limit else { return }
        var seen: Set<CounterpartKey> = []
        changes = Array(changes.reversed().filter { seen.insert($0.key).inserted }.reversed())
        limit = max(Self.leastLimit, 2 * changes.count)
    }

    /// Removes the counterpart of an object that has none any more, or that has the counterpart of its row again.
    ///
    /// If the object receives a counterpart later, the time of that later assignment is recorded.
    mutating func forget(_ object: ManagedObject, column: Int) {
        guard !claims.isEmpty else { return }
        claims[Claimant(entity: object.entityName, id: object.rawID, column: column)] = nil
    }

    /// Sets the time up to which the context knows the owners of counterparts, for all objects that received one.
    mutating func know(at time: Int) {
        claims = claims.mapValues { ($0.target, time) }
        for index in changes.indices { changes[index].knownAt = time }
    }

    /// Removes and returns all changes, which the caller must resolve.
    mutating func take() -> [CounterpartChange] {
        defer { changes = [] }
        return changes
    }

    /// Restores changes that could not be resolved; they precede the changes that were added since.
    mutating func restore(_ unsettled: [CounterpartChange]) { changes = unsettled + changes }

    /// Removes all changes, after a save or a rollback.
    mutating func clear() { (changes, claims) = ([], [:]) }
}

/// An assignment of a one-to-one counterpart to an object; another object may have the counterpart too.
struct CounterpartChange {
    let object: ManagedObject
    let column: Int
    let target: Int64
    /// The time of the ``CounterpartLog`` up to which the context knew the owner of the counterpart.
    var knownAt = 0

    /// The key of the counterpart in the ``CounterpartLog``.
    var key: CounterpartKey { CounterpartKey(entity: object.entityName, column: column, target: target) }

    /// A Boolean value that indicates whether the object still has the counterpart.
    var isValid: Bool { !object.isDeletedOrDetached && object.typed.value(at: column) == .integer(target) }

    static func == (left: CounterpartChange, right: CounterpartChange) -> Bool {
        left.object === right.object && left.column == right.column && left.target == right.target
    }
}
