/// Checks how many objects relationships lead to after many rows changed: the store counts, and what breaks no rule is not read.
package struct CountCheck {
    /// Who has the rows as they would be stored.
    private let reader: any StoreReader

    package init(_ reader: any StoreReader) {
        self.reader = reader
    }

    /// - Returns: Relationships that lead to fewer objects than their minimum, or more than their maximum; of each rule 100 at most.
    package func failures(_ owners: CountedOwners) throws -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        for (rule, entity, ids) in owners.rules {
            for violation in rule.violations(among: ids) {
                let request = StoreRequest(entity, where: violation, limit: PersistenceError.maximumBatchFailures)
                var found: [Int64] = []
                try reader.fetch(request) { row in
                    found.append(row.rawID)
                    return .next
                }
                for id in found {
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
            let isOwned = FetchCondition.compare(
                .property(relationship.inverse ?? "id"), .equal, .constant(.integer(id)))
            return try reader.count(StoreRequest(relationship.destination, where: isOwned))
        case .join(let join, let isSource):
            return try reader.joins(JoinRequest(join.name, of: isSource ? .source : .target, ids: [id])).count
        }
    }
}
