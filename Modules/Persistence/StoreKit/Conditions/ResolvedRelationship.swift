public import StrataCore

/// A relationship that a condition traverses, with the location of its references in stores.
public struct ResolvedRelationship: Sendable {
    /// The source entity of the relationship.
    public let source: EntityDescription
    /// The description of the relationship.
    public let description: RelationshipDescription
    /// The destination entity of the relationship.
    public let destination: EntityDescription
    /// The location of the relationship's references in stores: a column or a join table.
    public let storage: RelationshipStorage
}
