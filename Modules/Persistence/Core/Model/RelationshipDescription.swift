/// One side of a relationship between two entities.
///
/// Two sides name each other as inverses. A one-to-many relationship is a column of the to-one side. A one-to-one
/// relationship is a unique column of the side that is stored. A many-to-many relationship is a table of join rows
/// (``JoinDescription``). An entity may reference itself. A many-to-many relationship that is its own inverse is
/// symmetric, such as a friendship.
public struct RelationshipDescription: Sendable, Hashable {
    /// The maximum count of objects that a relationship references.
    public enum Cardinality: String, Sendable, Hashable, Codable {
        /// At most one object.
        case toOne
        /// Any number of objects.
        case toMany
    }

    /// The name, unique within the entity; case is ignored.
    public var name: String
    /// The entity that the relationship references.
    public var destination: String
    /// The cardinality: to-one or to-many.
    public var cardinality: Cardinality
    /// The name of the inverse relationship; only a to-one relationship with a column may omit it.
    public var inverse: String?
    /// The effect on the destination objects when an object of this entity is deleted.
    public var deleteRule: DeleteRule
    /// A Boolean value that indicates whether the relationship may be empty.
    public var isOptional: Bool
    /// The minimum count of objects in a to-many relationship; an optional relationship may also be empty.
    public var minimumCount: Int
    /// The maximum count of objects in a to-many relationship; `nil` for no limit.
    public var maximumCount: Int?
    /// A Boolean value that indicates whether the objects of a to-many relationship are ordered.
    public var isOrdered: Bool
    /// The destination's attribute that contains the sort key, if the inverse is a to-one relationship.
    ///
    /// Its type is `integer64`, optional or not; null is first. A many-to-many relationship stores its order in the
    /// join table.
    public var orderingAttribute: String?
    /// A Boolean value that indicates whether a to-one relationship has a column in this entity's rows.
    ///
    /// It is `false` for the side of a one-to-one relationship whose inverse has the column.
    public var ownsForeignKey: Bool
    /// The dataset column of a to-one relationship, which may be any text; `nil` if it is ``name``.
    ///
    /// It is also `nil` if ``externalKey`` contains the column names.
    public var externalName: String?
    /// The key by which datasets identify the destination of a to-one relationship; `nil` for the identifier.
    public var externalKey: ExternalKey?
    /// The representation of a many-to-many relationship's join rows in datasets.
    ///
    /// It is `nil` at the other side. It is also `nil` if a dataset with the name of the join table contains pairs of
    /// identifiers.
    public var externalLink: ExternalLink?
    /// The relationship's names in earlier versions of the model.
    public var renamedFrom: [String]

    /// Creates the description of one side of a relationship.
    ///
    /// A relationship with an ordering attribute is ordered.
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

/// The effect on the referenced objects when their owner is deleted.
public enum DeleteRule: String, Sendable, Hashable, Codable {
    /// The objects lose their reference to the owner.
    case nullify
    /// The objects are deleted too.
    case cascade
    /// The deletion of the owner fails unless the same save deletes all of the objects.
    case deny
    /// No effect; the caller handles the objects. A dangling reference fails the save.
    case noAction
}
