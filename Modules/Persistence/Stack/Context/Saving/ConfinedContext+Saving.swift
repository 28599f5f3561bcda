import StrataCore
import StrataStoreKit

extension ConfinedContext {
    /// The maximum number of attempts of a save; an attempt fails if another save changes the same data first.
    private static let maximumAttempts = 100

    /// Saves all changes to the parent: to the store in one transaction, or to the parent context.
    ///
    /// The save applies the delete rules, runs the hooks, and validates every object. Either all changes are saved or
    /// none. In a parent context they become unsaved changes. If the save fails, this context retains its changes, so
    /// that the caller can correct and save them again.
    ///
    /// - Parameter mergePolicy: The policy for objects that another save changed; `nil` uses the policy of the context.
    /// - Returns: The saved changes, which are empty if the context has no changes.
    /// - Throws: ``PersistenceError`` with one of these codes: ``PersistenceError/Code/validation`` with all failures
    ///   if objects are invalid. ``PersistenceError/Code/conflict`` or ``PersistenceError/Code/uniqueness`` with all
    ///   conflicts that the policy does not resolve. ``PersistenceError/Code/danglingReference`` if a referenced object
    ///   does not exist. ``PersistenceError/Code/detachedObject`` if a deleted or detached object was written to.
    ///   ``PersistenceError/Code/locked`` if another process or connection locked the store for longer than the busy
    ///   timeout. ``PersistenceError/Code/unreadable`` if a row that the save must read forms no valid record. Also
    ///   `CancellationError` if the task was canceled before anything was written, the unchanged error of a hook or of
    ///   a custom policy, and the errors of the store.
    @discardableResult
    public func save(mergePolicy: MergePolicy? = nil) throws -> SavedChanges {
        guard savepoints.isEmpty else {
            throw PersistenceError(
                .invalidRequest, "a transaction of “\(name)” is running and saves at its end; remove the call of save")
        }
        return try saveChanges(mergePolicy)
    }

    /// Saves all changes; the end of a transaction calls this method too.
    func saveChanges(_ mergePolicy: MergePolicy?) throws -> SavedChanges {
        guard !hooks.isSaving else {
            throw PersistenceError(.invalidRequest, "a save of “\(name)” is running; a hook before it must not save")
        }
        do {
            try merges.throwFailure()
            try detachedWrites.throwFirst()
            let saved = try saveAttempts(mergePolicy.map { SavePolicy($0) } ?? policy)
            eventSink?(.saved(saved))
            return saved
        } catch let error as PersistenceError {
            eventSink?(.saveFailed(error.code))
            throw error
        } catch let error as CancellationError {
            eventSink?(.saveFailed(nil))
            throw error
        } catch let error as HookFailure {
            eventSink?(.saveFailed(nil))
            throw error.underlying
        } catch {
            // All other errors come from code of the application, such as a rule, an initializer, or a store.
            eventSink?(.saveFailed(nil))
            throw error
        }
    }

    private func saveAttempts(_ policy: SavePolicy) throws -> SavedChanges {
        hooks.round = HookRound()
        defer { hooks.round = nil }
        var upserted: [String: [Int64: Int64]] = [:]
        var dangling: (error: PersistenceError, changes: SavedChanges)?
        for _ in 0..<Self.maximumAttempts {
            try CancellableReading.check()
            // This is repeated in every attempt: meanwhile another save may have added references to objects that are
            // deleted in this context.
            let denials = try prepareForSaving()
            let changes = try collectChanges(denials)
            var saved = SavedChanges(changes)
            saved.upserted = upserted
            guard !changes.isEmpty else {
                commit(saved)
                return saved
            }
            if let dangling, saved == dangling.changes { throw dangling.error }
            let counterparts = parent.context == nil ? coordinator.counterpartLog.counterparts(in: changes) : []
            do {
                let conflicts = try write(consume changes)
                if conflicts.isEmpty {
                    if parent.context == nil { recordCounterparts(counterparts) }
                    finish(saved, counterparts)
                    return saved
                }
                try resolve(conflicts, policy.merging)
            } catch let error as PersistenceError where error.code == .danglingReference && !saved.deleted.isEmpty {
                dangling = (error, saved)
            } catch let error as PersistenceError where error.code == .uniqueness {
                upserted.merge(try resolveUniqueness(error, policy)) { old, new in
                    old.mapValues { new[$0] ?? $0 }.merging(new) { $1 }
                }
            }
        }
        throw PersistenceError(
            .conflict,
            "other contexts changed the same objects \(Self.maximumAttempts) times in a row; save again later")
    }

    /// Passes the changes to the parent context or store, and returns conflicts with rows or objects that this context
    /// did not read.
    private func write(_ changes: consuming ChangeSet) throws -> [StoreConflict] {
        if let parent = parent.context {
            try requireReconciledCounterparts()
            return try parent.take(changes, from: self)
        }
        let handed = changes
        return try describingLockWait { try coordinator.save(handed) }
    }

    /// Adds the name of the context and the duration of its wait to an error with code
    /// ``PersistenceError/Code/locked``.
    private func describingLockWait<Result>(_ body: () throws -> Result) throws -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        do {
            return try body()
        } catch var error as PersistenceError where error.code == .locked {
            let waited = start.duration(to: clock.now)
            let hundredths = waited.components.seconds * 100 + waited.components.attoseconds / 10_000_000_000_000_000
            let fraction = hundredths % 100
            error.message =
                "the context “\(name)” waited \(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) seconds to save: "
                + error.message
            throw error
        }
    }

    /// Finishes a successful save: marks the changes as saved and notifies other contexts.
    private func finish(_ saved: SavedChanges, _ counterparts: [CounterpartKey]) {
        let hooked = hookedObjects()
        successors.merge(saved.upserted) { $0.merging($1) { $1 } }
        commit(saved)
        hooks.round = nil
        let change = StoreChange(saved, origin: .context(name))
        if let parent = parent.context {
            parent.children.announce(MergeNotice(change), from: merges.pending)
        } else {
            coordinator.publish(change, from: merges.pending)
            // The counterparts are noted again: a context that merged between the save and its notice does not know
            // them yet.
            recordCounterparts(counterparts)
        }
        // Hooks and policies may have changed values that the children have read.
        children.announce(MergeNotice(change, toChildren: true), from: nil)
        runDidSave(hooked)
    }

    private func commit(_ saved: SavedChanges) {
        deletions.clear()
        counterparts.clear()
        pendingJoins = [:]
        forgetReadAhead()
        for identityMap in identityMaps.values {
            // An update raises the version of a row by one; a parent's object keeps its version until it is saved.
            let raised = parent.context == nil ? saved.updated[identityMap.entity.name] : nil
            identityMap.commit(raised: raised ?? [])
        }
    }

    // MARK: Collecting

    /// Returns all changes as rows, after validating them by the rules of the model and of the record types.
    private func collectChanges(_ found: [ValidationFailure]) throws -> ChangeSet {
        var changes = ChangeSet()
        var failures = found
        for identityMap in orderedIdentityMaps where identityMap.hasPending {
            changes[identityMap.entity.name] = try collectChanges(identityMap, &failures)
        }
        for (name, pending) in pendingJoins {
            let joinChanges = pending.changes(isDeleted: isDeletedHere)
            if !joinChanges.isEmpty { changes.joins[name] = joinChanges }
        }
        let counts = RelationshipCounts(self)
        failures += try counts.failures()
        guard failures.isEmpty else {
            var error = PersistenceError(
                .validation,
                failures.count == 1
                    ? "a rule of the model is broken:" : "\(failures.count) rules of the model are broken:")
            error.failures = failures
            throw error
        }
        return changes
    }

    private func collectChanges(
        _ identityMap: IdentityMap, _ failures: inout [ValidationFailure]
    ) throws -> ChangeSet.EntityChanges {
        let inserted = identityMap.inserted
        var entityChanges = ChangeSet.EntityChanges()
        entityChanges.insertions.reserveCapacity(inserted.count)
        for object in inserted {
            var row = object.typed.currentRow()
            try validate(&row, of: object, operation: .insert, in: identityMap, into: &failures)
            entityChanges.insertions.append(.init(id: object.rawID, values: row.values, version: object.version))
        }
        for object in identityMap.updated.sorted(by: { $0.rawID < $1.rawID }) {
            var row = object.typed.currentRow()
            let changed = object.changedColumns(row)
            guard !changed.isEmpty else { continue }
            try validate(&row, of: object, operation: .update, in: identityMap, into: &failures)
            for index in changed where identityMap.validator.isImmutable(index) {
                failures.append(
                    identityMap.validator.failure(.immutable, index: index, value: row.values[index], id: object.rawID))
            }
            entityChanges.updates.append(
                .init(id: object.rawID, expectedVersion: object.version, values: row.values, changedColumns: changed))
        }
        for object in identityMap.deletedInOrder {
            if identityMap.traits.hasRules { failures += try brokenRules(of: object, .delete) }
            entityChanges.deletions.append(
                .init(id: object.rawID, expectedVersion: object.version, allowsMissingRow: false))
        }
        return entityChanges
    }

    /// Converts a row's values to their stored form in place, and collects the failures of the row's object.
    private func validate(
        _ row: inout (values: [StoredValue], failures: [ValidationFailure]), of object: ManagedObject,
        operation: SaveOperation, in identityMap: IdentityMap, into failures: inout [ValidationFailure]
    ) throws {
        let found = identityMap.validator.validate(&row.values, id: object.rawID)
        if !row.failures.isEmpty || !found.isEmpty {
            let refused = Set(row.failures.map(\.attribute))
            failures += row.failures
            failures += found.filter { !refused.contains($0.attribute) }
        } else if object.wasWritten, let refusal = object.typed.refusal(of: row.values) {
            failures.append(refusal)
        }
        if identityMap.traits.hasRules { failures += try brokenRules(of: object, operation) }
    }
}
