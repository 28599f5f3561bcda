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
}
