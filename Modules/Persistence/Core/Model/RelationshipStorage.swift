/// Where stores keep what a relationship leads to.
public enum RelationshipStorage: Sendable, Hashable {
    /// A column of the entity's own rows, by its place: the destination's identifier.
    case ownColumn(Int)
    /// A column of the destination's rows, by its place: the owner's identifier.
    case inverseColumn(Int)
    /// The pairs of a many-to-many relationship, and whether the owner is their source.
    case join(JoinDescription, isSource: Bool)
}

extension ManagedObjectModel {
    /// A relationship of an entity, and where it leads.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when the entity has none of that name.
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
                .invalidModel, "the relationship is kept nowhere", entity: entity.name, attribute: name)
        }
        return (relationship, destination, .inverseColumn(index))
    }
}
