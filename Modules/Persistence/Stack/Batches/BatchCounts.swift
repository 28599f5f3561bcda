import StrataCore

/// Checks how many objects relationships lead to after a batch changed them.
struct BatchCounts {
    let reader: BatchReader

    /// - Returns: Relationships that lead to fewer objects than their minimum, or more than their maximum.
    func failures(_ owners: CountedOwners) throws -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        for (rule, entity, ids) in owners.rules {
            for violation in rule.violations(among: ids) {
                let request = StoreRequest(entity, where: violation, limit: PersistenceError.maximumBatchFailures)
                for id in try reader.versions(request).map(\.id) {
                    let count = try count(rule.relationship, of: id, entity)
                    if let failure = rule.failure(of: id, in: entity, count: count) { failures.append(failure) }
                }
            }
        }
        return failures
    }

    private func count(_ relationship: RelationshipDescription, of id: Int64, _ entity: String) throws -> Int {
        let owner = try reader.model.entity(named: entity)
        switch try reader.model.relationship(relationship.name, of: owner).place {
        case .ownColumn: return 1
        case .inverseColumn:
            let isOwned = BatchReader.isOne(relationship.inverse ?? "id", of: [id])
            return try reader.count(StoreRequest(relationship.destination, where: isOwned))
        case .join(let join, let isSource):
            return try reader.joins(JoinRequest(join.name, of: isSource ? .source : .target, ids: [id])).count
        }
    }
}
