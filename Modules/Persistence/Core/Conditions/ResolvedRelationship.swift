/// A relationship that a condition traverses, with where it is kept.
public struct ResolvedRelationship: Sendable {
    /// The entity that it leaves from.
    public let source: EntityDescription
    /// The relationship.
    public let description: RelationshipDescription
    /// The entity that it leads to.
    public let destination: EntityDescription
    /// Where stores keep what it leads to.
    public let storage: RelationshipStorage
}
