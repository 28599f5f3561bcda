import StrataCore

/// Checks how many objects relationships lead to after a batch changed them.
struct BatchCounts {
    /// The objects whose relationships were changed, where those have a bound.
    struct Owners {
        struct Key: Hashable {
            let entity: String
            let relationship: String
        }

        fileprivate(set) var ids: [Key: Set<Int64>] = [:]

        /// An owner that gained or lost the row that refers to it.
        mutating func note(
            _ value: StoredValue, column: Int, entity: EntityDescription, model: ManagedObjectModel
        ) {
            guard case .integer(let owner) = value, let destination = entity.columns[column].destination,
                let inverse = entity.relationship(named: entity.columns[column].name)?.inverse
            else { return }
            note([owner], relationship: inverse, entity: destination, model: model)
        }

        /// Owners of a relationship that changed.
        mutating func note(
            _ owners: some Sequence<Int64>, relationship: String, entity: String, model: ManagedObjectModel
        ) {
            guard BatchCounts.isBounded(relationship, of: entity, model) else { return }
            ids[Key(entity: entity, relationship: relationship), default: []].formUnion(owners)
        }
    }

    let reader: BatchReader

    /// Whether a relationship has to lead to so many objects, or to no more.
    static func isBounded(_ relationship: String, of entity: String, _ model: ManagedObjectModel) -> Bool {
        guard let relationship = model[entity]?.relationship(named: relationship), relationship.cardinality == .toMany
        else { return false }
        return relationship.minimumCount > 0 || relationship.maximumCount != nil || !relationship.isOptional
    }

    /// - Returns: Relationships that lead to fewer objects than their minimum, or more than their maximum.
    func failures(_ owners: Owners) throws -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        for (key, ids) in owners.ids.sorted(by: {
            ($0.key.entity, $0.key.relationship) < ($1.key.entity, $1.key.relationship)
        }) {
            guard let relationship = reader.model[key.entity]?.relationship(named: key.relationship) else { continue }
            for (rule, test) in tests(relationship) {
                let request = StoreRequest(
                    key.entity, where: BatchReader.isOne("id", of: ids.sorted()) && test,
                    limit: PersistenceError.maximumBatchFailures)
                for id in try reader.versions(request).map(\.id) {
                    failures.append(
                        ValidationFailure(
                            entity: key.entity, id: id, attribute: key.relationship,
                            value: .integer(Int64(try count(relationship, of: id, key.entity))), rule: rule))
                }
            }
        }
        return failures
    }

    /// As in Core Data, a minimum does not keep an optional relationship from leading nowhere.
    private func tests(_ relationship: RelationshipDescription) -> [(ValidationFailure.Rule, FetchCondition)] {
        let count = FetchOperand.relatedCount(relationship.name, .constant(true))
        func compare(_ comparison: FetchComparison, _ number: Int) -> FetchCondition {
            .compare(count, comparison, .constant(.integer(Int64(number))))
        }
        let minimum = relationship.isOptional ? relationship.minimumCount : max(1, relationship.minimumCount)
        var tests: [(ValidationFailure.Rule, FetchCondition)] = []
        if minimum > 0 {
            let isLess = compare(.less, minimum)
            tests.append(
                (.minimumCount(minimum), relationship.isOptional ? compare(.greater, 0) && isLess : isLess))
        }
        if let maximum = relationship.maximumCount {
            tests.append((.maximumCount(maximum), compare(.greater, maximum)))
        }
        return tests
    }

    private func count(_ relationship: RelationshipDescription, of id: Int64, _ entity: String) throws -> Int {
        let owner = try reader.model.entity(named: entity)
        switch try reader.model.relationship(relationship.name, of: owner).place {
        case .ownColumn: return 1
        case .inverseColumn:
            let isOwned = BatchReader.isOne(relationship.inverse ?? "id", of: [id])
            return try reader.versions(StoreRequest(relationship.destination, where: isOwned)).count
        case .join(let join, let isSource):
            return try reader.transaction.joins(JoinRequest(join.name, of: isSource ? .source : .target, ids: [id]))
                .count
        }
    }
}
