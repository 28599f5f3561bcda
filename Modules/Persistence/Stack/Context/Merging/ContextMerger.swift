import StrataCore
import StrataStoreKit

/// The merging of other contexts' saves into a context, at the beginning of its work and on request.
///
/// Its state is the number of nested closures of the context that are running: a merge happens before the outermost
/// one. The notices to merge are in the `PendingChanges`. The merger is confined to the context's queue.
final class ContextMerger {
    private let propagator: ChangePropagator
    private let identifiers: IdentifierBlocks
    /// The child contexts, which are notified of merges into this context.
    private let children: SaveSubscribers
    /// The merger of the parent context, or `nil` if the context saves to the store.
    private let parent: ContextMerger?
    /// The number of nested closures of the context that are running.
    private var depth = 0

    init(
        _ propagator: ChangePropagator, identifiers: IdentifierBlocks, children: SaveSubscribers,
        parent: ContextMerger?
    ) {
        self.propagator = propagator
        self.identifiers = identifiers
        self.children = children
        self.parent = parent
    }

    private var reader: ObjectReader { propagator.reader }
    private var registry: ObjectRegistry { propagator.registry }
    private var pending: PendingChanges { propagator.pending }

    // MARK: Work

    /// Begins a closure of the context.
    ///
    /// If no other closure of the context is running, the context first merges the changes that other contexts saved.
    func beginWork() {
        if depth == 0 {
            identifiers.beginWork()
            parent?.mergeIfIdle()
            mergePending()
            // A context without objects begins to read now.
            if !pending.ignoresCounterparts, registry.isEmpty { pending.knowsSavedCounterparts(at: pending.time) }
        }
        depth += 1
    }

    /// Ends a closure of the context.
    func endWork() {
        depth -= 1
        guard depth == 0 else { return }
        reader.readAhead.clear()
        registry.sweepAfterWork()
    }

    private func mergeIfIdle() {
        guard depth == 0 else { return }
        parent?.mergeIfIdle()
        mergePending()
    }

    private func mergePending() {
        guard let waiting = pending.pendingMerge else { return }
        let time = pending.time
        merge(waiting.take())
        if waiting.isOpen { pending.knowsSavedCounterparts(at: time) }
    }

    // MARK: Merging

    /// Merges changes of another writer into this context.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read; in this case nothing is merged.
    func mergeChanges(_ changes: StoreChange) throws {
        merge(MergeNotice(changes))
        try pending.throwMergeFailure()
    }

    /// Merges the changes that other contexts saved, with errors deferred.
    ///
    /// If the store cannot be read, the merge is retried with the next notice or in the next closure of this context.
    private func merge(_ arrived: MergeNotice?) {
        guard let notice = pending.takeNotice(arrived) else { return }
        do {
            try reader.source.move()
            for identityMap in registry.ordered {
                switch notice.touched(identityMap.entity.name) {
                case .none: continue
                case .some(let ids): try refresh(ids.compactMap { identityMap.object($0) }, identityMap)
                case .everything: try refresh(identityMap.objects, identityMap)
                }
            }
            children.announce(notice, from: nil)
        } catch let error as PersistenceError where error.code == .closed {
            // A closed store has nothing to merge; the next use of the context reports that the store is closed.
        } catch is CancellationError {
            // The work that began with this merge was canceled; the next work merges.
            pending.keepNotice(notice)
        } catch {
            pending.keepNotice(notice, failure: error)
        }
    }

    // MARK: Refreshing

    /// Reads the rows of objects again; unsaved changes and deletions of the objects remain.
    ///
    /// If another save and this context both changed a property, the conflict remains. If `isExplicit` is `true`, there
    /// is no conflict, because the caller requested the stored values.
    private func refresh(_ objects: [ManagedObject], _ identityMap: IdentityMap, isExplicit: Bool = false) throws {
        let known = objects.filter { $0.state != .inserted && $0.state != .detached }
        guard !known.isEmpty else { return }
        reader.forgetRead(identityMap.entity.name, known.map(\.rawID))
        var missing = Dictionary(uniqueKeysWithValues: known.map { ($0.rawID, $0) })
        for row in try reader.parentRows(of: identityMap.entity.name, known.map(\.rawID)) {
            guard let object = missing.removeValue(forKey: row.id),
                reader.parent != nil || object.version != row.version
            else { continue }
            // If the values of both sides make no valid record, the object is unchanged, with its old version. Its save
            // is a conflict.
            do {
                switch (object.state, isExplicit) {
                case (.updated, false): try object.typed.absorb(row)
                case (.updated, true): try object.typed.rebase(onto: row, .keepChanges)
                default: try object.typed.rebase(onto: row, .dropChanges)
                }
            } catch { continue }
            if identityMap.traits.hasHooks { try reader.hooks.awaken(object) }
        }
        for object in missing.values where !object.hasChanges { identityMap.detach(object) }
    }

    /// Reads an object's row again, immediately.
    ///
    /// - Parameters:
    ///   - object: The object to refresh.
    ///   - mergeChanges: A Boolean value that indicates whether unsaved changes of the object are retained; otherwise
    ///     they are discarded.
    /// - Throws: The errors of ``ConfinedContext/refresh(_:mergeChanges:)``.
    func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
        registry.require(object)
        try reader.source.move()
        guard let identityMap = object.ownership.identityMap, object.state != .inserted, object.state != .detached
        else { return }
        reader.forgetRead(identityMap.entity.name, [object.rawID])
        let row = try reader.parentRows(of: identityMap.entity.name, [object.rawID]).first
        guard let row else {
            let keeps = mergeChanges && object.hasChanges || object.state == .deleted
            if !keeps { identityMap.detach(object) }
            throw PersistenceError(
                .objectNotFound, "object \(object.rawID) is not in the store any more", entity: object.entityName)
        }
        try reader.rebase(object, onto: row, mergeChanges ? .keepChanges : .dropChanges)
        if object.state == .updated, !mergeChanges { identityMap.move(object, to: .unchanged) }
    }

    /// Reads the rows of all objects in the context again, immediately, and retains unsaved changes.
    func refreshAllObjects() throws {
        let time = pending.time
        try reader.source.move()
        for identityMap in registry.ordered {
            try refresh(identityMap.objects, identityMap, isExplicit: true)
        }
        pending.knowsAllCounterparts(at: time)
    }
}
