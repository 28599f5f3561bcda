import StrataCore
import StrataStoreKit

extension ConfinedContext {
    /// Returns the related objects of several owners, by the owner's identifier and in the relationship's order.
    ///
    /// Unsaved changes of this context are included. The method executes one statement, or two for a many-to-many
    /// relationship, regardless of the number of owners.
    func relatedObjects(
        of owners: [ManagedObject], _ relationship: RelationshipDescription, _ place: RelationshipStorage
    ) throws -> [Int64: [ManagedObject]] {
        try RelationshipNavigator(ContextReader(context: self)).relatedByOwner(to: owners, by: relationship, place)
    }

    /// Returns a relationship of an object as the model of the context describes it.
    ///
    /// - Parameters:
    ///   - wanted: The relationship as the caller describes it; a relationship of another entity may have the same
    ///     name.
    ///   - owner: The owner of the relationship.
    /// - Returns: The model's relationship, its destination entity, and its storage.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the owner's entity does not
    ///   have the relationship.
    func relationship(
        _ wanted: RelationshipDescription, of owner: ManagedObject
    ) throws -> (relationship: RelationshipDescription, destination: EntityDescription, place: RelationshipStorage) {
        let found = try model.relationship(wanted.name, of: owner.ownership.entity)
        let description = found.relationship
        guard description.cardinality == wanted.cardinality, description.destination == wanted.destination else {
            throw PersistenceError(
                .invalidRequest,
                "the relationship belongs to another entity: it refers to \(description.destination), not to "
                    + "\(wanted.cardinality == .toMany ? "any number of " : "one of ")\(wanted.destination)",
                entity: owner.entityName, attribute: wanted.name)
        }
        return found
    }

    /// Throws an error if an object's entity is not the relationship's destination, which the compiler does not check
    /// for records without a Swift type.
    func require(
        _ object: ManagedObject, endOf relationship: RelationshipDescription, of owner: ManagedObject
    ) throws {
        guard object.entityName != relationship.destination else { return }
        throw PersistenceError(
            .invalidRequest,
            "the relationship refers to \(relationship.destination), but \(object.rawID) is of \(object.entityName)",
            entity: owner.entityName, attribute: relationship.name)
    }

    /// Returns the number of objects that a request selects, for an entity whose record type is known only at run time.
    func countObjects(_ request: StoreRequest) throws -> Int {
        func count<Entity: AnyRecordEntity>(_ entity: Entity) throws -> Int {
            try self.count(request, of: entity.typed)
        }
        return try count(try recordEntity(of: request.entity))
    }

    /// Returns the destination entity of a relationship, with the record type that the relationship declares.
    func destination<Source: ManagedRecord, Destination: ManagedRecord>(
        of relationship: ToMany<Source, Destination>
    ) throws -> RecordEntity<Destination> {
        if let declared = Destination.declaredEntity { return declared }
        let name = relationship.description.destination
        guard let entity = try recordEntity(of: name) as? RecordEntity<Destination> else {
            throw PersistenceError(
                .invalidModel, "the model has a record type for this entity other than \(Destination.self)",
                entity: name)
        }
        return entity
    }
}
