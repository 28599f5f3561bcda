import StrataCore

extension ConfinedContext {
    /// Returns the related objects of several owners, by the owner's identifier and in the relationship's order.
    ///
    /// The changes of this context are merged in. The method executes one statement, or two for many-to-many, for any
    /// number of owners.
    func relatedObjects(
        of owners: [ManagedObject], _ relationship: RelationshipDescription, _ place: RelationshipStorage
    ) throws -> [Int64: [ManagedObject]] {
        try RelationshipNavigator(ContextReader(context: self)).relatedByOwner(to: owners, by: relationship, place)
    }

    /// Returns the model's description of an object's relationship.
    ///
    /// - Parameters:
    ///   - wanted: The relationship as its value describes it; a relationship of another entity may have the same name.
    ///   - owner: The owner of the relationship.
    /// - Returns: The relationship, its destination, and its storage.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the owner's entity has no
    ///   such relationship.
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

    /// Checks that an object is of the relationship's destination, which records without a static type do not ensure.
    func require(
        _ object: ManagedObject, endOf relationship: RelationshipDescription, of owner: ManagedObject
    ) throws {
        guard object.entityName != relationship.destination else { return }
        throw PersistenceError(
            .invalidRequest,
            "the relationship refers to \(relationship.destination), but \(object.rawID) is of \(object.entityName)",
            entity: owner.entityName, attribute: relationship.name)
    }

    /// Returns the number of objects that a request selects, for a record type known only at run time.
    func countObjects(_ request: StoreRequest) throws -> Int {
        func count<Entity: AnyRecordEntity>(_ entity: Entity) throws -> Int {
            try self.count(request, of: entity.typed)
        }
        return try count(try recordEntity(of: request.entity))
    }

    /// Returns the destination entity of a relationship, with the record type of the relationship.
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
