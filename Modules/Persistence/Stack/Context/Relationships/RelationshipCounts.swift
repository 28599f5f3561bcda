import StrataCore

/// Checks how many objects the relationships of a save's objects lead to.
struct RelationshipCounts {
    let context: ConfinedContext

    /// - Returns: Relationships that lead to fewer objects than their minimum, or more than their maximum.
    func failures() throws -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        for entity in context.model.entities {
            for rule in entity.relationships.compactMap(CountRule.init) {
                failures += try self.failures(of: rule, entity)
            }
        }
        return failures
    }

    private func failures(of rule: CountRule, _ entity: EntityDescription) throws -> [ValidationFailure] {
        let relationship = rule.relationship
        let place = try context.model.relationship(relationship.name, of: entity).place
        let owners = try touchedOwners(of: relationship, entity, place)
        let objects = try context.objects(withRawIDs: owners.sorted(), of: entity.name).filter { !$0.isGone }
        guard !objects.isEmpty else { return [] }
        let related = try context.relatedObjects(of: objects, relationship, place)
        return objects.compactMap {
            rule.failure(of: $0.rawID, in: entity.name, count: related[$0.rawID]?.count ?? 0)
        }
    }

    /// The owners whose relationship this save changes: new ones, and those that gain or lose objects.
    private func touchedOwners(
        of relationship: RelationshipDescription, _ entity: EntityDescription, _ place: RelationshipStorage
    ) throws -> Set<Int64> {
        var owners = Set(context.identityMaps[entity.name]?.inserted.map(\.rawID) ?? [])
        switch place {
        case .ownColumn: break
        case .inverseColumn(let column):
            guard let identityMap = context.identityMaps[relationship.destination] else { break }
            for object in identityMap.current + identityMap.deletedInOrder {
                let sides = [object.committedRow()?[column], object.isGone ? nil : object.value(at: column)]
                if sides[0] == sides[1] { continue }
                for case .integer(let owner)? in sides { owners.insert(owner) }
            }
        case .join(let join, let isSource):
            if let pending = context.pendingJoins[join.name] {
                for pair in Array(pending.added.keys) + pending.removed {
                    if isSource || join.isSymmetric { owners.insert(pair.source) }
                    if !isSource || join.isSymmetric { owners.insert(pair.target) }
                }
            }
            let gone = context.identityMaps[relationship.destination]?.deletedInOrder.map(\.rawID) ?? []
            guard !gone.isEmpty else { break }
            // The pairs of what goes, as they were: here they count no more.
            let request = JoinRequest(join.name, of: isSource ? .target : .source, ids: gone)
            let rows = try context.parent.context?.joins(request) ?? context.coordinator.store.joins(request)
            for row in rows { owners.insert(join.isSymmetric || !isSource ? row.pair.target : row.pair.source) }
        }
        return owners
    }
}
