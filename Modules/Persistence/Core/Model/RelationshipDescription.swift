/// One side of a relationship between two entities.
///
/// Both sides name each other as inverses. A one-to-many relationship is stored as a column of its to-one side. A
/// one-to-one relationship is stored as a unique column of one side. A many-to-many relationship is stored as a join
/// table (``JoinDescription``). An entity may reference itself. A many-to-many relationship that is its own inverse is
/// symmetric, such as a friendship.
public struct RelationshipDescription: Sendable, Hashable {
    /// The maximum count of objects that one object references through a relationship.
    public enum Cardinality: String, Sendable, Hashable, Codable {
        /// At most one object.
        case toOne
        /// Any number of objects.
        case toMany
    }

    /// The name of the relationship, unique within its entity; case is ignored.
    public var name: String
    /// The name of the entity that the relationship references.
    public var destination: String
    /// The cardinality of the relationship: to-one or to-many.
    public var cardinality: Cardinality
    /// The name of the inverse relationship; `nil` is permitted only for a to-one relationship that has a column.
    public var inverse: String?
    /// The effect on the destination objects when an object of this entity is deleted.
    public var deleteRule: DeleteRule
    /// A Boolean value that indicates whether the relationship may reference no object.
    public var isOptional: Bool
    /// The minimum count of objects in a to-many relationship; an optional relationship may also be empty.
    public var minimumCount: Int
    /// The maximum count of objects in a to-many relationship; `nil` if there is no limit.
    public var maximumCount: Int?
    /// A Boolean value that indicates whether the objects of a to-many relationship are ordered.
    public var isOrdered: Bool
    /// The name of the destination's attribute that orders a one-to-many relationship; `nil` if no attribute orders it.
    ///
    /// The attribute has type `integer64` and may be optional; null is first. An ordered many-to-many relationship
    /// stores its order in the join table instead.
    public var orderingAttribute: String?
    /// A Boolean value that indicates whether a to-one relationship has a column in this entity's rows.
    ///
    /// It is `false` for the side of a one-to-one relationship whose inverse has the column.
    public var ownsForeignKey: Bool
    /// The name of a to-one relationship's column in datasets, which may be any text.
    ///
    /// It is `nil` if the name is ``name``, or if ``externalKey`` contains the column names.
    public var externalName: String?
    /// The key by which datasets identify the target of a to-one relationship; `nil` if they use the target's
    /// identifier.
    public var externalKey: ExternalKey?
    /// The representation of a many-to-many relationship's join rows in datasets, declared at one side.
    ///
    /// It is `nil` at the other side. If it is `nil` at both sides, a dataset with the name of the join table contains
    /// pairs of identifiers.
    public var externalLink: ExternalLink?
    /// The relationship's names in earlier versions of the model.
    public var renamedFrom: [String]

    /// Creates the description of one side of a relationship.
    ///
    /// If `orderingAttribute` is not `nil`, the relationship is ordered.
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

/// The effect of deleting an object on the objects that one of its relationships references.
public enum DeleteRule: String, Sendable, Hashable, Codable {
    /// The referenced objects lose their reference to the deleted object.
    case nullify
    /// The referenced objects are deleted too.
    case cascade
    /// The deletion fails unless the same save deletes all referenced objects.
    case deny
    /// The referenced objects do not change; if one of them still references the deleted object, the save fails.
    case noAction
}
