/// A relationship that a condition traverses, and its storage.
public struct ResolvedRelationship: Sendable {
    /// The source entity of the relationship.
    public let source: EntityDescription
    /// The relationship.
    public let description: RelationshipDescription
    /// The destination entity of the relationship.
    public let destination: EntityDescription
    /// The location where stores contain the references.
    public let storage: RelationshipStorage
}
