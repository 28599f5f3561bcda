/// One side of a relationship between two entities.
///
/// Two sides name each other as inverses. One-to-many is a column of the to-one side; one-to-one a unique column of the side that is stored;
/// many-to-many a table of pairs (``JoinDescription``). An entity may lead to itself, and a many-to-many relationship may be its own inverse:
/// it is then symmetric, as friendship is.
public struct RelationshipDescription: Sendable, Hashable {
    /// How many objects the relationship leads to.
    public enum Cardinality: String, Sendable, Hashable, Codable {
        /// At most one.
        case toOne
        /// Any number.
        case toMany
    }

    /// The name, unique within the entity whatever its case.
    public var name: String
    /// The entity it leads to.
    public var destination: String
    /// How many objects it leads to.
    public var cardinality: Cardinality
    /// The name of the relationship that leads back; only a to-one relationship with a column can do without.
    public var inverse: String?
    /// What happens to the destinations when an object of this entity is deleted.
    public var deleteRule: DeleteRule
    /// Whether the relationship may lead nowhere.
    public var isOptional: Bool
    /// The fewest objects a to-many relationship leads to, unless it is optional and leads nowhere.
    public var minimumCount: Int
    /// The most objects a to-many relationship leads to; `nil` is no limit.
    public var maximumCount: Int?
    /// Whether the destinations of a to-many relationship have an order of their own.
    public var isOrdered: Bool
    /// The destination's attribute that holds its sort key, where a to-one relationship is the inverse.
    ///
    /// It is of type `integer64`, optional or not; null comes first. A many-to-many relationship keeps its order in the join table.
    public var orderingAttribute: String?
    /// Whether a to-one relationship has a column in this entity's rows; false for the side of a one-to-one that its inverse's column answers.
    public var ownsForeignKey: Bool
    /// What datasets call the column of a to-one relationship, any text; `nil` where that is the name, and where ``externalKey`` says it.
    public var externalName: String?
    /// By what datasets refer to the destination of a to-one relationship; `nil` where that is its identifier.
    public var externalKey: ExternalKey?
    /// How datasets hold the pairs of a many-to-many relationship; `nil` at the other side, and where a dataset called like the join table has pairs
    /// of identifiers.
    public var externalLink: ExternalLink?
    /// What the relationship was called before, in earlier versions of the model.
    public var renamedFrom: [String]

    /// Describes one side of a relationship.
    ///
    /// A relationship with a position attribute is ordered.
    public init(
        _ name: String,
        to destination: String,
        _ cardinality: Cardinality,
        inverse: String? = nil,
        deleteRule: DeleteRule = .nullify,
        isOptional: Bool = true,
        minimumCount: Int = 0,
        maximumCount: Int? = nil,
        isOrdered: Bool = false,
        orderingAttribute: String? = nil,
        ownsForeignKey: Bool = true,
        externalName: String? = nil,
        externalKey: ExternalKey? = nil,
        externalLink: ExternalLink? = nil,
        renamedFrom: [String] = []
    ) {
        self.name = name
        self.destination = destination
        self.cardinality = cardinality
        self.inverse = inverse
        self.deleteRule = deleteRule
        self.isOptional = isOptional
        self.minimumCount = minimumCount
        self.maximumCount = maximumCount
        self.isOrdered = isOrdered || orderingAttribute != nil
        self.orderingAttribute = orderingAttribute
        self.ownsForeignKey = ownsForeignKey
        self.externalName = externalName
        self.externalKey = externalKey
        self.externalLink = externalLink
        self.renamedFrom = renamedFrom
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
