import StrataCore

/// One-to-one relationships: whoever gets a partner takes it from the one who had it.
extension ConfinedContext {
    /// Hears that a property of an object was written whose entity has the column of a one-to-one relationship, or a place in an ordered one.
    ///
    /// A partner that the context has loses its reference at once; one that only the store knows when the context is read next, or saved.
    func didChange(_ object: ManagedObject) {
        guard let identityMap = object.ownership.identityMap, !object.isGone else { return }
        if !orderedEnds.isEmpty { noteEnds(with: object, identityMap.traits.orderedReferences) }
        for column in identityMap.exclusiveColumns {
            let value = object.typed.value(at: column)
            guard case .integer(let target) = value else {
                partners.forget(object, column: column)
                continue
            }
            if let other = identityMap.holder(of: target, column), other !== object, !other.isGone,
                other.typed.value(at: column) == value
            {
                release(other, column)
            }
            identityMap.setHolder(object, of: target, column)
            if object.tookPartner(at: column) {
                partners.note(
                    PartnerChange(object: object, column: column, target: target, knownAt: partnerView.time))
            } else {
                partners.forget(object, column: column)
            }
        }
    }

    private func release(_ object: ManagedObject, _ column: Int) {
        // One that cannot be without a partner keeps its reference: the save then says that two have the same.
        try? object.typed.write(.null, column: column)
    }

    /// Takes partners away from objects that the context has not read.
    ///
    /// A partner that somebody else gave away since the context read is not taken: two have it then, until the save asks the policy. Such changes wait,
    /// and so do all where reading fails.
    func settlePartners() throws {
        let changes = partners.take()
        do { partners.putBack(try settle(changes)) } catch {
            partners.putBack(changes)
            throw error
        }
    }

    /// - Returns: What is left to the policy.
    private func settle(_ changes: [PartnerChange]) throws -> [PartnerChange] {
        var contested: [PartnerChange] = []
        for (_, changes) in Dictionary(
            grouping: changes.filter(\.isValid), by: { "\($0.object.entityName).\($0.column)" })
        {
            guard let first = changes.first, let identityMap = first.object.ownership.identityMap else { continue }
            let column = first.column
            let latest = Dictionary(changes.map { ($0.target, $0) }, uniquingKeysWith: { $1 })
            /// Who took the partner that another object has.
            func taker(_ id: Int64, _ value: StoredValue) -> PartnerChange? {
                guard case .integer(let target) = value, let change = latest[target], change.object.rawID != id else {
                    return nil
                }
                return change
            }
            var losers: [Int64] = []
            let targets = latest.keys.map(StoredValue.integer)
            for row in try parentRows(of: identityMap.entity, where: column, targets) {
                guard let change = taker(row.id, row.values[column]), identityMap.deleted[row.id] == nil else {
                    continue
                }
                let known = identityMap.object(row.id)
                if let known, known.state == .inserted || known.hasGivenUp(change.target, column) { continue }
                if isContested(change, by: known) { contested.append(change) } else { losers.append(row.id) }
            }
            let read = try objects(withRawIDs: losers, of: identityMap.entity.name)
            let pending = identityMap.current.filter { $0.tookPartner(at: column) }
            for other in read + pending where taker(other.rawID, other.typed.value(at: column)) != nil {
                release(other, column)
            }
        }
        return contested
    }

    /// A save into a parent, which does not look who has which partner as a store does: what is left to the policy is no change to be taken.
    func requireSettledPartners() throws {
        guard let change = partners.changes.first(where: \.isValid) else { return }
        throw PersistenceError.taken(
            change.object.ownership.entity, index: change.column, value: .integer(change.target),
            by: change.object.rawID)
    }

    /// Tells other contexts which partners a save has given away.
    func notePartners(_ partners: [PartnerKey]) { coordinator.partnerLog.note(partners, by: partnerView.reader) }

    /// Whether somebody else gave the partner away since this context read who has it.
    ///
    /// - Parameters:
    ///   - change: Who takes the partner here.
    ///   - known: Who has it by now, if the context has read that object.
    /// - Returns: Whether the policy has to say who has it.
    private func isContested(_ change: PartnerChange, by known: ManagedObject?) -> Bool {
        if let known, known.typed.committedValue(at: change.column) != .integer(change.target) { return true }
        return coordinator.partnerLog.wasGiven(
            change.key, after: change.knownAt, unknownTo: partnerView.reader)
    }
}

extension ManagedObject {
    /// Whether the object has a partner that it did not have as it was read.
    func tookPartner(at column: Int) -> Bool {
        state == .inserted || state == .updated && typed.committedValue(at: column) != typed.value(at: column)
    }

    /// Whether the object had a partner as it was read, and was changed to have it no more: its version then tells whether others came between.
    fileprivate func hasGivenUp(_ target: Int64, _ column: Int) -> Bool {
        state == .updated && typed.committedValue(at: column) == .integer(target)
            && typed.value(at: column) != .integer(target)
    }
}
