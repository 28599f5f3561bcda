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
            claim(target, column: column, by: object)
        }
    }

    /// Notes who has a partner now: the latest counts, and is all that is kept.
    private func claim(_ target: Int64, column: Int, by object: ManagedObject) {
        let claim = Claim(object: object, column: column, target: target)
        if let last = unsettledClaims.last, last == claim { return }
        unsettledClaims.append(claim)
        guard unsettledClaims.count >= claimLimit else { return }
        var seen: Set<Claim.Key> = []
        unsettledClaims = Array(unsettledClaims.reversed().filter { seen.insert($0.key).inserted }.reversed())
        claimLimit = max(Claim.leastLimit, 2 * unsettledClaims.count)
    }

    private func release(_ object: ManagedObject, _ column: Int) {
        // One that cannot be without a partner keeps its reference: the save then says that two claim the same.
        try? object.write(.null, column: column)
    }

    /// Takes partners away from objects that the context has not read.
    ///
    /// Where reading fails they wait for the next time.
    func settleClaims() throws {
        let claims = unsettledClaims
        unsettledClaims = []
        do { try settle(claims) } catch {
            unsettledClaims = claims + unsettledClaims
            throw error
        }
    }

    private func settle(_ claims: [Claim]) throws {
        let valid = claims.filter { !$0.object.isGone && $0.object.value(at: $0.column) == .integer($0.target) }
        for (_, claims) in Dictionary(grouping: valid, by: { "\($0.object.entityName).\($0.column)" }) {
            guard let first = claims.first else { continue }
            let latest = Dictionary(claims.map { ($0.target, $0.object) }, uniquingKeysWith: { $1 })
            let entity = first.object.ownership.entity
            let request = StoreRequest(
                entity.name,
                where: .isIn(
                    .property(entity.columns[first.column].name), latest.keys.sorted().map(StoredValue.integer)))
            for other in try fetchObjects(request) {
                guard case .integer(let target) = other.value(at: first.column), let claimant = latest[target],
                    claimant !== other
                else { continue }
                release(other, first.column)
            }
        }
    }
}

/// An object that took another's partner in a one-to-one relationship.
struct Claim {
    /// Which partner, by entity and column of those who may have it.
    struct Key: Hashable {
        let entity: String
        let column: Int
        let target: Int64
    }

    /// So many claims are kept before it is looked which are outdated.
    static let leastLimit = 1024

    let object: ManagedObject
    let column: Int
    let target: Int64

    var key: Key { Key(entity: object.entityName, column: column, target: target) }

    static func == (left: Claim, right: Claim) -> Bool {
        left.object === right.object && left.column == right.column && left.target == right.target
    }
}
