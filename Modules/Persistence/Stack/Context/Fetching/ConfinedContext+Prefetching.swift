import StrataCore

/// Relationships read ahead: all objects of one at once, instead of each when it is asked for.
extension ConfinedContext {
    /// Reads what the relationships lead to, one statement each (two for many-to-many).
    ///
    /// The objects are kept until the context's work ends or it saves, so that asking for them reads nothing.
    func prefetch(_ relationships: [PrefetchedRelationship], for objects: [ManagedObject]) throws {
        guard let entity = objects.first?.ownership.entity else { return }
        for wanted in relationships {
            let (relationship, _, place) = try model.relationship(wanted.name, of: entity)
            let related = try relatedObjects(of: objects, relationship, place)
            if !wanted.nested.isEmpty { try prefetch(wanted.nested, for: Self.distinct(related)) }
            prefetched.hold(related.values.joined())
            if case .ownColumn = place { continue }
            // What changes here later is not in these lists, so they are kept only while nothing does.
            guard identityMaps[relationship.destination]?.hasPending != true, !hasPendingJoins(place) else { continue }
            prefetched.keep(related, of: objects, by: relationship, entity.name)
        }
    }

    /// Rejects relationships that the entities do not have.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for the first one.
    func validate(_ relationships: [PrefetchedRelationship], of entity: EntityDescription) throws {
        for wanted in relationships {
            try validate(wanted.nested, of: model.relationship(wanted.name, of: entity).destination)
        }
    }

    /// The objects to which several owners lead, each once.
    static func distinct(_ related: [Int64: [ManagedObject]]) -> [ManagedObject] {
        var seen: Set<Int64> = []
        return related.sorted { $0.key < $1.key }.flatMap(\.value).filter { seen.insert($0.rawID).inserted }
    }

    private func hasPendingJoins(_ place: RelationshipStorage) -> Bool {
        guard case .join(let join, _) = place else { return false }
        return pendingJoins[join.name]?.isEmpty == false
    }

    /// Objects of an entity changed: lists of them may be wrong.
    func forgetPrefetched(of entity: String) { prefetched.forget(destination: entity) }

    func sawNewerRows(of entity: String) {
        forgetPrefetched(of: entity)
        orderedEnds.forget(entity)
    }
}
