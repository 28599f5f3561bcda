import StrataCore

/// Checks how many objects the relationships of a save's objects lead to.
struct RelationshipCounts {
    let context: ConfinedContext

    /// - Returns: Relationships that lead to fewer objects than their minimum, or more than their maximum.
    func failures() throws -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        for entity in context.model.entities {
            for relationship in entity.relationships
            where relationship.cardinality == .toMany
                && (relationship.minimumCount > 0 || relationship.maximumCount != nil || !relationship.isOptional)
            {
                failures += try self.failures(of: relationship, entity)
            }
        }
        return failures
    }

    private func failures(
        of relationship: RelationshipDescription, _ entity: EntityDescription
    ) throws -> [ValidationFailure] {
        let place = try context.model.relationship(relationship.name, of: entity).place
        let owners = try touchedOwners(of: relationship, entity, place)
        let objects = try context.objects(withRawIDs: owners.sorted(), of: entity.name).filter { !$0.isGone }
        guard !objects.isEmpty else { return [] }
        let related = try context.relatedObjects(of: objects, relationship, place)
        return objects.compactMap { object in
            guard let rule = broken(relationship, count: related[object.rawID]?.count ?? 0) else { return nil }
            return ValidationFailure(
                entity: entity.name, id: object.rawID, attribute: relationship.name,
                value: .integer(Int64(related[object.rawID]?.count ?? 0)), rule: rule)
        }
    }

    /// As in Core Data, a minimum does not keep an optional relationship from leading nowhere.
    private func broken(_ relationship: RelationshipDescription, count: Int) -> ValidationFailure.Rule? {
        if count == 0, relationship.isOptional { return nil }
        let minimum = relationship.isOptional ? relationship.minimumCount : max(1, relationship.minimumCount)
        if count < minimum { return .minimumCount(minimum) }
        if let maximum = relationship.maximumCount, count > maximum { return .maximumCount(maximum) }
        return nil
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
