import StrataCore

/// The prefetching of related objects for many owners at once.
extension ConfinedContext {
    /// Reads the related objects of several relationships, with one statement each, or two for a many-to-many
    /// relationship.
    ///
    /// The context retains the objects until its running closure ends or it saves, so that later accesses read nothing.
    func prefetch(_ relationships: [PrefetchedRelationship], for objects: [ManagedObject]) throws {
        guard let entity = objects.first?.ownership.entity else { return }
        for wanted in relationships {
            let (relationship, _, place) = try model.relationship(wanted.name, of: entity)
            let related = try relatedObjects(of: objects, relationship, place)
            if !wanted.nested.isEmpty { try prefetch(wanted.nested, for: Self.distinct(related)) }
            prefetched.hold(related.values.joined())
            if case .ownColumn = place { continue }
            // The lists do not contain later changes of this context, so they are stored only if there are no pending
            // changes.
            guard identityMaps[relationship.destination]?.hasPending != true, !hasPendingJoins(place) else { continue }
            prefetched.keep(related, of: objects, by: relationship, entity.name)
        }
    }

    /// Checks that an entity has the relationships to prefetch, including the nested ones.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for the first relationship
    ///   that does not exist.
    func validate(_ relationships: [PrefetchedRelationship], of entity: EntityDescription) throws {
        for wanted in relationships {
            try validate(wanted.nested, of: model.relationship(wanted.name, of: entity).destination)
        }
    }

    /// Returns the related objects of several owners, each object once.
    static func distinct(_ related: [Int64: [ManagedObject]]) -> [ManagedObject] {
        var seen: Set<Int64> = []
        return related.sorted { $0.key < $1.key }.flatMap(\.value).filter { seen.insert($0.rawID).inserted }
    }

    private func hasPendingJoins(_ place: RelationshipStorage) -> Bool {
        guard case .join(let join, _) = place else { return false }
        return pendingJoins[join.name]?.isEmpty == false
    }

    /// Discards the prefetched lists of an entity's objects, because objects of the entity changed.
    func forgetPrefetched(of entity: String) { prefetched.forget(destination: entity) }

    func sawNewerRows(of entity: String) {
        forgetPrefetched(of: entity)
        orderedEnds.forget(entity)
    }
}
