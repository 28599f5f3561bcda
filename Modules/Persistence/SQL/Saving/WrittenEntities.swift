package import StrataCore

/// The entities whose rows or join rows a change affects, which the store reports to its observers.
extension ManagedObjectModel {
    /// Returns the entities that a change set writes.
    package func entitiesWritten(by changes: ChangeSet) -> Set<String> {
        var names: Set<String> = []
        for (entity, changes) in changes.entities where !changes.isEmpty {
            names.insert(entity)
            if !changes.deletions.isEmpty { names.formUnion(entitiesDeletedWith(entity)) }
        }
        for join in joins where changes.joins[join.name]?.isEmpty == false { names.formUnion(join.ends) }
        return names
    }

    /// Returns the entities whose rows or join rows are deleted together with rows of an entity.
    ///
    /// They are the entity itself and the entities at the other end of its join rows.
    func entitiesDeletedWith(_ entity: String) -> Set<String> {
        joins.map(\.ends).filter { $0.contains(entity) }.reduce([entity]) { $0.union($1) }
    }
}

extension JoinDescription {
    /// The entities at both ends of the join rows.
    var ends: Set<String> { [sourceEntity, targetEntity] }
}
