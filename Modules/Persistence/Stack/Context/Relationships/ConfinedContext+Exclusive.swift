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
            guard case .integer(let target) = object.value(at: column) else { continue }
            if let other = identityMap.holder(of: target, column), other !== object, !other.isGone,
                other.value(at: column) == .integer(target)
            {
                release(other, column)
            }
            identityMap.setHolder(object, of: target, column)
            partners.note(PartnerChange(object: object, column: column, target: target))
        }
    }

    private func release(_ object: ManagedObject, _ column: Int) {
        // One that cannot be without a partner keeps its reference: the save then says that two have the same.
        try? object.write(.null, column: column)
    }

    /// Takes partners away from objects that the context has not read.
    ///
    /// Where reading fails they wait for the next time.
    func settlePartners() throws {
        let changes = partners.take()
        do { try settle(changes) } catch {
            partners.putBack(changes)
            throw error
        }
    }

    private func settle(_ changes: [PartnerChange]) throws {
        for (_, changes) in Dictionary(
            grouping: changes.filter(\.isValid), by: { "\($0.object.entityName).\($0.column)" })
        {
            guard let first = changes.first else { continue }
            let latest = Dictionary(changes.map { ($0.target, $0.object) }, uniquingKeysWith: { $1 })
            let entity = first.object.ownership.entity
            let request = StoreRequest(
                entity.name,
                where: .isIn(
                    .property(entity.columns[first.column].name), latest.keys.sorted().map(StoredValue.integer)))
            for other in try fetchObjects(request) {
                guard case .integer(let target) = other.value(at: first.column), let newOwner = latest[target],
                    newOwner !== other
                else { continue }
                release(other, first.column)
            }
        }
    }
}
