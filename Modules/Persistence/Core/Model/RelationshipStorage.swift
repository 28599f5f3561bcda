/// The location where stores contain the references of a relationship.
public enum RelationshipStorage: Sendable, Hashable {
    /// The destination's identifier, in the column of the entity's rows with this index.
    case ownColumn(Int)
    /// The owner's identifier, in the column of the destination's rows with this index.
    case inverseColumn(Int)
    /// The join rows of a many-to-many relationship; `isSource` is `true` if the owner is their source.
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
