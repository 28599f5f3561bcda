import StrataCore
import StrataStoreKit

/// The deletion of objects, and the consequences of unsaved changes for other objects: delete rules and one-to-one
/// counterparts.
///
/// Every read and every save of a context first calls `prepareToRead()` or `processPendingChanges()`. Its state is a
/// flag that suppresses this while an operation is incomplete. The instance is confined to the context's queue.
final class ChangePropagator {
    let reader: ObjectReader
    let events: ContextEvents
    /// The propagator of the parent context, or `nil` if the context saves to the store.
    private let parent: ChangePropagator?
    /// A Boolean value that indicates whether delete rules or the changes of a child context are being applied.
    ///
    /// While it is `true`, reads must not apply pending changes.
    private var isSettling = false

    init(
        reader: ObjectReader, events: ContextEvents, parent: ChangePropagator?
    ) {
        self.reader = reader
        self.events = events
        self.parent = parent
    }

    var registry: ObjectRegistry { reader.registry }
    var pending: PendingChanges { reader.pending }

    // MARK: Deleting

    /// Marks an object for deletion by the next save.
    func delete(_ object: ManagedObject) {
        registry.require(object)
        guard let identityMap = object.ownership.identityMap, object.state != .detached else { return }
        if identityMap.traits.hasHooks {
            // Objects whose hooks delete each other are deleted once.
            guard pending.runDeletionHook(of: object, { reader.hooks.prepareForDeletion(object) }) else { return }
        }
        guard object.state != .detached else { return }
        pending.noteDeletion(object)
        reader.readAhead.forgetLists(of: object.entityName)
        if object.state != .deleted { events.send(.deleted(entity: object.entityName, id: object.rawID)) }
        identityMap.move(object, to: object.state.afterDeletion)
        if object.state == .detached {
            identityMap.forget(object)
            pending.noteDiscarded(object)
        }
    }

    // MARK: Pending changes

    /// Prepares a read: checks for cancellation, throws the error of a failed merge, and applies pending delete rules.
    func prepareToRead() throws {
        try CancellableReading.check()
        try pending.throwMergeFailure()
        try processPendingChanges()
    }

    /// Applies delete rules for earlier deletions, and removes one-to-one counterparts from their previous owners.
    func processPendingChanges() throws {
        if isSettling { return }
        try parent?.processPendingChanges()
        // The save checks for denied deletions.
        if pending.deletions.isPending { _ = try propagateDeletes(isComplete: false) }
        if !pending.counterparts.isEmpty { try reconcileCounterparts() }
    }

    /// Applies the delete rules and removes counterparts before a save.
    ///
    /// - Returns: The failures of objects whose deletion is denied, and of objects that must not lose their reference.
    func processAllChanges() throws -> [ValidationFailure] {
        let denials = try propagateDeletes(isComplete: true)
        if !pending.counterparts.isEmpty { try reconcileCounterparts() }
        return denials
    }

    /// Runs `body`; reads inside it apply no pending changes, because the current operation is not complete yet.
    func settling<Result>(_ body: () throws -> Result) rethrows -> Result {
        let wasSettling = isSettling
        isSettling = true
        defer { isSettling = wasSettling }
        return try body()
    }

    private func propagateDeletes(isComplete: Bool) throws -> [ValidationFailure] {
        guard pending.deletions.hasDiscarded || registry.all.contains(where: { !$0.deleted.isEmpty }) else {
            pending.propagatedDeletions()
            return []
        }
        var propagation = DeletePropagation(self, isComplete: isComplete)
        let failures = try settling { try propagation.run() }
        pending.propagatedDeletions()
        return failures
    }

    // MARK: One-to-one counterparts

    /// Removes one-to-one counterparts from previous owners that the context has not read.
    ///
    /// If another save assigned a counterpart after this context read it, two objects have the counterpart until a save
    /// applies the merge policy. Such changes remain pending. If a read fails, all changes remain pending.
    private func reconcileCounterparts() throws { try pending.resolveCounterparts(settle) }

    /// Removes the counterparts of the changes that do not collide with another save from their previous owners.
    ///
    /// - Returns: The changes that the merge policy must resolve.
    private func settle(_ changes: [CounterpartChange]) throws -> [CounterpartChange] {
        var contested: [CounterpartChange] = []
        for (_, changes) in Dictionary(
            grouping: changes.filter(\.isValid), by: { "\($0.object.entityName).\($0.column)" })
        {
            guard let first = changes.first, let identityMap = first.object.ownership.identityMap else { continue }
            let column = first.column
            let latest = Dictionary(changes.map { ($0.target, $0) }, uniquingKeysWith: { $1 })
            /// Returns the change by which an object received a counterpart that another object had.
            func claimant(_ id: Int64, _ value: StoredValue) -> CounterpartChange? {
                guard case .integer(let target) = value, let change = latest[target], change.object.rawID != id else {
                    return nil
                }
                return change
            }
            var losers: [Int64] = []
            let targets = latest.keys.map(StoredValue.integer)
            for row in try reader.parentRows(of: identityMap.entity, where: column, targets) {
                guard let change = claimant(row.id, row.values[column]), identityMap.deleted[row.id] == nil else {
                    continue
                }
                let known = identityMap.object(row.id)
                if let known, known.state == .inserted || known.hasGivenUp(change.target, column) { continue }
                if isContested(change, by: known) { contested.append(change) } else { losers.append(row.id) }
            }
            let read = try reader.objects(withRawIDs: losers, of: identityMap.entity.name)
            let pending = identityMap.current.filter { $0.tookCounterpart(at: column) }
            for other in read + pending where claimant(other.rawID, other.typed.value(at: column)) != nil {
                other.releaseCounterpart(at: column)
            }
        }
        return contested
    }

    /// Throws an error before a save to a parent context if the merge policy would have to resolve a one-to-one
    /// counterpart.
    ///
    /// Unlike a store, a parent context does not check which object has a counterpart. It therefore cannot receive such
    /// a change.
    func requireReconciledCounterparts() throws {
        guard let change = pending.counterparts.changes.first(where: \.isValid) else { return }
        throw PersistenceError.taken(
            change.object.ownership.entity, index: change.column, value: .integer(change.target),
            by: change.object.rawID)
    }

    /// Returns a Boolean value that indicates whether the merge policy must determine the owner of a counterpart.
    ///
    /// It must if another save assigned the counterpart after this context read its owner.
    ///
    /// - Parameters:
    ///   - change: The change that assigns the counterpart in this context.
    ///   - known: The present owner of the counterpart, if the context has read that object; otherwise `nil`.
    /// - Returns: `true` if another save assigned the counterpart meanwhile.
    private func isContested(_ change: CounterpartChange, by known: ManagedObject?) -> Bool {
        if let known, known.typed.committedValue(at: change.column) != .integer(change.target) { return true }
        return pending.wasReassigned(change)
    }
}

extension ManagedObject {
    /// Returns a Boolean value that indicates whether an unsaved change removed a counterpart from the object.
    ///
    /// If so, the version of the object's row shows whether another save changed the object meanwhile.
    fileprivate func hasGivenUp(_ target: Int64, _ column: Int) -> Bool {
        state == .updated && typed.committedValue(at: column) == .integer(target)
            && typed.value(at: column) != .integer(target)
    }
}
