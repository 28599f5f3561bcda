/// The location of a relationship's references in a store.
public enum RelationshipStorage: Sendable, Hashable {
    /// A column with this index in the rows of the relationship's entity, which contains identifiers of the
    /// destination.
    case ownColumn(Int)
    /// A column with this index in the rows of the destination, which contains identifiers of the relationship's owner.
    case inverseColumn(Int)
    /// The join table of a many-to-many relationship; `isSource` is `true` if the relationship's owner is its source.
    case join(JoinDescription, isSource: Bool)
}

extension ManagedObjectModel {
    /// Returns a relationship of an entity, its destination, and its storage.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the entity has no such
    ///   relationship.
    package func relationship(
        _ name: String, of entity: EntityDescription
    ) throws -> (relationship: RelationshipDescription, destination: EntityDescription, place: RelationshipStorage) {
        guard let relationship = entity.relationship(named: name) else {
            throw PersistenceError(.invalidRequest, "there is no relationship “\(name)”", entity: entity.name)
        }
        let destination = try self.entity(named: relationship.destination)
        if let (join, isSource) = join(of: name, in: entity.name) {
            return (relationship, destination, .join(join, isSource: isSource))
        }
        if let index = entity.columnIndex(name) { return (relationship, destination, .ownColumn(index)) }
        guard let inverse = relationship.inverse, let index = destination.columnIndex(inverse) else {
            throw PersistenceError(
                .invalidModel, "the relationship has no column and no join table", entity: entity.name, attribute: name)
        }
        return (relationship, destination, .inverseColumn(index))
    }
}
