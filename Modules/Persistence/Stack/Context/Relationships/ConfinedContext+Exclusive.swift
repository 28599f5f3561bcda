import StrataCore
import StrataStoreKit

/// The maintenance of one-to-one relationships: a counterpart that an object receives is removed from its previous
/// owner.
extension ConfinedContext {
    /// Updates one-to-one and ordered relationships after a property of an object was written.
    ///
    /// The object's entity has a column of a one-to-one relationship, or a position in an ordered one. If the context
    /// has the previous owner of a one-to-one counterpart, the owner loses its reference at once. A previous owner that
    /// is only in the store loses its reference at the next read or save of the context.
    func didChange(_ object: ManagedObject) {
        guard let identityMap = object.ownership.identityMap, !object.isDeletedOrDetached else { return }
        if !orderedEnds.isEmpty { noteEnds(with: object, identityMap.traits.orderedReferences) }
        for column in identityMap.exclusiveColumns {
            let value = object.typed.value(at: column)
            guard case .integer(let target) = value else {
                counterparts.forget(object, column: column)
                continue
            }
            if let other = identityMap.holder(of: target, column), other !== object, !other.isDeletedOrDetached,
                other.typed.value(at: column) == value
            {
                release(other, column)
            }
            identityMap.setHolder(object, of: target, column)
            if object.tookCounterpart(at: column) {
                counterparts.note(
                    CounterpartChange(object: object, column: column, target: target, knownAt: counterpartView.time))
            } else {
                counterparts.forget(object, column: column)
            }
        }
    }

    private func release(_ object: ManagedObject, _ column: Int) {
        // A holder with a mandatory reference keeps it: the save then reports that two objects have the same
        // counterpart.
        try? object.typed.write(.null, column: column)
    }

    /// Removes one-to-one counterparts from previous owners that the context has not read.
    ///
    /// If another save assigned a counterpart after this context read it, two objects have the counterpart until a save
    /// applies the merge policy. Such changes remain pending. If a read fails, all changes remain pending.
    func reconcileCounterparts() throws {
        let changes = counterparts.take()
        do { counterparts.restore(try settle(changes)) } catch {
            counterparts.restore(changes)
            throw error
        }
    }

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
            for row in try parentRows(of: identityMap.entity, where: column, targets) {
                guard let change = claimant(row.id, row.values[column]), identityMap.deleted[row.id] == nil else {
                    continue
                }
                let known = identityMap.object(row.id)
                if let known, known.state == .inserted || known.hasGivenUp(change.target, column) { continue }
                if isContested(change, by: known) { contested.append(change) } else { losers.append(row.id) }
            }
            let read = try objects(withRawIDs: losers, of: identityMap.entity.name)
            let pending = identityMap.current.filter { $0.tookCounterpart(at: column) }
            for other in read + pending where claimant(other.rawID, other.typed.value(at: column)) != nil {
                release(other, column)
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
        guard let change = counterparts.changes.first(where: \.isValid) else { return }
        throw PersistenceError.taken(
            change.object.ownership.entity, index: change.column, value: .integer(change.target),
            by: change.object.rawID)
    }

    /// Records the counterparts that a save assigned in the log that other contexts read.
    func recordCounterparts(_ counterparts: [CounterpartKey]) {
        coordinator.counterpartLog.note(counterparts, by: counterpartView.reader)
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
        return coordinator.counterpartLog.wasReassigned(
            change.key, after: change.knownAt, unknownTo: counterpartView.reader)
    }
}

extension ManagedObject {
    /// Returns a Boolean value that indicates whether the object received its counterpart after it was last read or
    /// saved.
    func tookCounterpart(at column: Int) -> Bool {
        state == .inserted || state == .updated && typed.committedValue(at: column) != typed.value(at: column)
    }

    /// Returns a Boolean value that indicates whether an unsaved change removed a counterpart from the object.
    ///
    /// If so, the version of the object's row shows whether another save changed the object meanwhile.
    fileprivate func hasGivenUp(_ target: Int64, _ column: Int) -> Bool {
        state == .updated && typed.committedValue(at: column) == .integer(target)
            && typed.value(at: column) != .integer(target)
    }
}
