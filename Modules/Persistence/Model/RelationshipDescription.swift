/// One side of a relationship between two entities.
public struct RelationshipDescription: Sendable, Hashable {
    /// How many objects the relationship leads to.
    public enum Cardinality: String, Sendable, Hashable, Codable {
        /// At most one. Kept as a column that holds the destination's identifier.
        case toOne
        /// Any number. The inverse of a to-one relationship; it has no column of its own.
        case toMany
    }

    /// The name, unique within the entity whatever its case.
    public var name: String
    /// The entity it leads to.
    public var destination: String
    /// How many objects it leads to.
    public var cardinality: Cardinality
    /// The name of the relationship that leads back, if there is one.
    public var inverse: String?
    /// What happens to the destinations when an object of this entity is deleted; `cascade` and `deny` are for to-many relationships.
    public var deleteRule: DeleteRule
    /// Whether a to-one relationship may lead nowhere.
    public var isOptional: Bool

    /// Describes one side of a relationship.
    public init(
        _ name: String,
        to destination: String,
        _ cardinality: Cardinality,
        inverse: String? = nil,
        deleteRule: DeleteRule = .nullify,
        isOptional: Bool = true
    ) {
        self.name = name
        self.destination = destination
        self.cardinality = cardinality
        self.inverse = inverse
        self.deleteRule = deleteRule
        self.isOptional = isOptional
    }
}

/// What happens to the objects a relationship leads to when its owner is deleted.
public enum DeleteRule: String, Sendable, Hashable, Codable {
    /// They lose their reference to the owner.
    case nullify
    /// They are deleted too.
    case cascade
    /// The owner's deletion fails while there are any that are not deleted in the same save.
    case deny
    /// Nothing: who deletes the owner sees to them; a reference left dangling fails the save.
    case noAction
}
