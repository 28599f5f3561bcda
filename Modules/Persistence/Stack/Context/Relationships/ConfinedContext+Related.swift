import StrataCore

extension ConfinedContext {
    /// The objects to which a relationship of several objects leads, by the owner's identifier, in the relationship's order, with this context's
    /// changes merged in.
    ///
    /// One statement, or two for many-to-many, however many owners.
    func relatedObjects(
        of owners: [ManagedObject], _ relationship: RelationshipDescription, _ place: RelationshipStorage
    ) throws -> [Int64: [ManagedObject]] {
        try RelationshipNavigator(ContextReader(context: self)).relatedByOwner(to: owners, by: relationship, place)
    }

    /// What the model says of an object's relationship.
    ///
    /// - Parameters:
    ///   - wanted: The relationship as its value describes it; one of another entity may have the same name.
    ///   - owner: Whose relationship.
    /// - Returns: The relationship, where it leads, and what keeps it.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when the owner's entity has no such relationship.
    func relationship(
        _ wanted: RelationshipDescription, of owner: ManagedObject
    ) throws -> (relationship: RelationshipDescription, destination: EntityDescription, place: RelationshipStorage) {
        let found = try model.relationship(wanted.name, of: owner.ownership.entity)
        let description = found.relationship
        guard description.cardinality == wanted.cardinality, description.destination == wanted.destination else {
            throw PersistenceError(
                .invalidRequest,
                "the relationship is another entity's: it leads to \(description.destination) and not to "
                    + "\(wanted.cardinality == .toMany ? "any number of " : "one of ")\(wanted.destination)",
                entity: owner.entityName, attribute: wanted.name)
        }
        return found
    }

    /// A relationship leads to objects of one entity, which the types of records without one do not say.
    func require(
        _ object: ManagedObject, endOf relationship: RelationshipDescription, of owner: ManagedObject
    ) throws {
        guard object.entityName != relationship.destination else { return }
        throw PersistenceError(
            .invalidRequest,
            "the relationship leads to \(relationship.destination), and \(object.rawID) is of \(object.entityName)",
            entity: owner.entityName, attribute: relationship.name)
    }

    /// How many objects a request selects whose record type is known at run time only.
    func countObjects(_ request: StoreRequest) throws -> Int {
        func count<Entity: AnyRecordEntity>(_ entity: Entity) throws -> Int {
            try self.count(request, of: entity.typed)
        }
        return try count(try recordEntity(of: request.entity))
    }

    /// The entity that a relationship leads to, with the type that the relationship says.
    func destination<Source: ManagedRecord, Destination: ManagedRecord>(
        of relationship: ToMany<Source, Destination>
    ) throws -> RecordEntity<Destination> {
        if let declared = Destination.declaredEntity { return declared }
        let name = relationship.description.destination
        guard let entity = try recordEntity(of: name) as? RecordEntity<Destination> else {
            throw PersistenceError(
                .invalidModel, "the model has a record type for this entity, and not \(Destination.self)", entity: name)
        }
        return entity
    }
}
