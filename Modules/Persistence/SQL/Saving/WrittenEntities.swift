package import StrataCore
package import StrataStoreKit

/// The names of the entities whose rows or join rows a change affects, which the store reports to its observers.
extension ManagedObjectModel {
    /// Returns the names of the entities whose rows or join rows a change set affects.
    package func entitiesWritten(by changes: ChangeSet) -> Set<String> {
        var names: Set<String> = []
        for (entity, changes) in changes.entities where !changes.isEmpty {
            names.insert(entity)
            if !changes.deletions.isEmpty { names.formUnion(entitiesDeletedWith(entity)) }
        }
        for join in joins where changes.joins[join.name]?.isEmpty == false { names.formUnion(join.ends) }
        return names
    }

    /// Returns the names of the entities that are affected if rows of an entity are deleted.
    ///
    /// They are the entity itself and the entities with which its rows have join rows.
    func entitiesDeletedWith(_ entity: String) -> Set<String> {
        joins.map(\.ends).filter { $0.contains(entity) }.reduce([entity]) { $0.union($1) }
    }
}

extension JoinDescription {
    /// The names of the entities at both ends of the join rows.
    var ends: Set<String> { [sourceEntity, targetEntity] }
}
