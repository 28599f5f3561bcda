package import StrataCore

/// Whose rows, or whose pairs of many-to-many relationships, are written: what others are told.
extension ManagedObjectModel {
    /// The entities that a set of changes writes.
    package func entitiesWritten(by changes: ChangeSet) -> Set<String> {
        var names: Set<String> = []
        for (entity, changes) in changes.entities where !changes.isEmpty {
            names.insert(entity)
            if !changes.deletions.isEmpty { names.formUnion(entitiesDeletedWith(entity)) }
        }
        for join in joins where changes.joins[join.name]?.isEmpty == false { names.formUnion(join.ends) }
        return names
    }

    /// The entities whose rows or pairs go when rows of one entity do: itself, and those at the other end of its pairs.
    func entitiesDeletedWith(_ entity: String) -> Set<String> {
        joins.map(\.ends).filter { $0.contains(entity) }.reduce([entity]) { $0.union($1) }
    }
}

extension JoinDescription {
    /// The entities whose pairs they are.
    var ends: Set<String> { [sourceEntity, targetEntity] }
}
