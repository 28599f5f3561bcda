/// One-to-one relationships: whoever gets a partner takes it from the one who had it.
extension ConfinedContext {
    /// Hears that a property of an object was written whose entity has the column of a one-to-one relationship.
    ///
    /// A partner that the context has loses its reference at once; one that only the store knows when the context is read next, or saved.
    func didChange(_ object: ManagedObject) {
        guard let identityMap = object.ownership.identityMap, !object.isGone else { return }
        for column in identityMap.exclusiveColumns {
            guard case .integer(let target) = object.value(at: column) else { continue }
            if let other = identityMap.holder(of: target, column), other !== object, !other.isGone,
                other.value(at: column) == .integer(target)
            {
                release(other, column)
            }
            identityMap.setHolder(object, of: target, column)
            note(target, column: column, of: object)
        }
    }

    /// Notes who has a partner now: the latest counts, and is all that is kept.
    private func note(_ target: Int64, column: Int, of object: ManagedObject) {
        let change = PartnerChange(object: object, column: column, target: target)
        if let last = unsettledPartners.last, last == change { return }
        unsettledPartners.append(change)
        guard unsettledPartners.count >= partnerLimit else { return }
        var seen: Set<PartnerChange.Key> = []
        unsettledPartners = Array(unsettledPartners.reversed().filter { seen.insert($0.key).inserted }.reversed())
        partnerLimit = max(PartnerChange.leastLimit, 2 * unsettledPartners.count)
    }

    private func release(_ object: ManagedObject, _ column: Int) {
        // One that cannot be without a partner keeps its reference: the save then says that two have the same.
        try? object.write(.null, column: column)
    }

    /// Takes partners away from objects that the context has not read.
    ///
    /// Where reading fails they wait for the next time.
    func settlePartners() throws {
        let changes = unsettledPartners
        unsettledPartners = []
        do { try settle(changes) } catch {
            unsettledPartners = changes + unsettledPartners
            throw error
        }
    }

    private func settle(_ changes: [PartnerChange]) throws {
        let valid = changes.filter { !$0.object.isGone && $0.object.value(at: $0.column) == .integer($0.target) }
        for (_, changes) in Dictionary(grouping: valid, by: { "\($0.object.entityName).\($0.column)" }) {
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

/// An object that took another's partner in a one-to-one relationship.
struct PartnerChange {
    /// Which partner, by entity and column of those who may have it.
    struct Key: Hashable {
        let entity: String
        let column: Int
        let target: Int64
    }

    /// So many changes are kept before it is looked which are outdated.
    static let leastLimit = 1024

    let object: ManagedObject
    let column: Int
    let target: Int64

    var key: Key { Key(entity: object.entityName, column: column, target: target) }

    static func == (left: PartnerChange, right: PartnerChange) -> Bool {
        left.object === right.object && left.column == right.column && left.target == right.target
    }
}
