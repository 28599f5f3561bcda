import StrataCore

/// Maintains one-to-one relationships: an object that takes a counterpart takes it from its previous holder.
extension ConfinedContext {
    /// Receives the notice that a property of an object was written.
    ///
    /// The object's entity has the column of a one-to-one relationship, or a position in an ordered one. A previous
    /// holder that the context has loses its reference at once. A previous holder that only the store knows loses it
    /// when the context is read next, or saved.
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

    /// Removes counterparts from their previous holders that the context has not read.
    ///
    /// If another save assigned the counterpart since this context read it, two objects have it until the save applies
    /// the merge policy. Such changes remain pending, and all changes remain pending if a read fails.
    func reconcileCounterparts() throws {
        let changes = counterparts.take()
        do { counterparts.restore(try settle(changes)) } catch {
            counterparts.restore(changes)
            throw error
        }
    }

    /// Resolves the changes that no other save contests.
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
            /// Returns the change that took the counterpart of another object.
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

    /// Checks that no counterpart is contested before a save into a parent context.
    ///
    /// A parent does not check the holders of counterparts as a store does. A change that the merge policy must resolve
    /// therefore makes the save fail.
    func requireReconciledCounterparts() throws {
        guard let change = counterparts.changes.first(where: \.isValid) else { return }
        throw PersistenceError.taken(
            change.object.ownership.entity, index: change.column, value: .integer(change.target),
            by: change.object.rawID)
    }

    /// Notifies other contexts of the counterparts that a save assigned.
    func recordCounterparts(_ counterparts: [CounterpartKey]) {
        coordinator.counterpartLog.note(counterparts, by: counterpartView.reader)
    }

    /// Returns a Boolean value that indicates whether the merge policy must determine the holder of a counterpart.
    ///
    /// This is the case if another save assigned the counterpart since this context read its holder.
    ///
    /// - Parameters:
    ///   - change: The change that takes the counterpart here.
    ///   - known: The present holder, if the context has read that object.
    /// - Returns: `true` if another save assigned the counterpart meanwhile.
    private func isContested(_ change: CounterpartChange, by known: ManagedObject?) -> Bool {
        if let known, known.typed.committedValue(at: change.column) != .integer(change.target) { return true }
        return coordinator.counterpartLog.wasReassigned(
            change.key, after: change.knownAt, unknownTo: counterpartView.reader)
    }
}

extension ManagedObject {
    /// Returns a Boolean value that indicates whether the object took its counterpart after it was read.
    func tookCounterpart(at column: Int) -> Bool {
        state == .inserted || state == .updated && typed.committedValue(at: column) != typed.value(at: column)
    }

    /// Returns a Boolean value that indicates whether a change removed a counterpart that the object had.
    ///
    /// The version of the object then shows whether another save changed it meanwhile.
    fileprivate func hasGivenUp(_ target: Int64, _ column: Int) -> Bool {
        state == .updated && typed.committedValue(at: column) == .integer(target)
            && typed.value(at: column) != .integer(target)
    }
}
