/// One side of a relationship between two entities.
///
/// ```swift
/// RelationshipDescription(
///     "papers", to: "Paper", .toMany, inverse: "shelf", deleteRule: .cascade,
///     orderingAttribute: "place")
///
/// RelationshipDescription(
///     "shelf", to: "Shelf", .toOne, inverse: "papers", isOptional: true)
/// ```
///
/// Both sides name each other as inverses. A one-to-many relationship is stored as a column of its to-one side. A
/// one-to-one relationship is stored as a unique column of one side. A many-to-many relationship is stored as a join
/// table (``JoinDescription``). An entity may reference itself. A many-to-many relationship that is its own inverse is
/// symmetric, such as a friendship.
///
/// A to-many relationship always needs an inverse. A to-one relationship needs one only if it has no column. Exactly
/// one side of a one-to-one relationship has the column: declare the other side with ``ownsForeignKey`` `false`.
///
/// A store rejects a reference to an object that does not exist. Saves, batches and imports enforce the counts of
/// objects; saves and batches apply the delete rules.
///
/// ## Topics
///
/// ### Both sides
///
/// - ``name``
/// - ``destination``
/// - ``inverse``
/// - ``cardinality``
/// - ``Cardinality``
///
/// ### Rules
///
/// - ``isOptional``
/// - ``minimumCount``
/// - ``maximumCount``
/// - ``deleteRule``
/// - ``DeleteRule``
///
/// ### Order
///
/// - ``isOrdered``
/// - ``orderingAttribute``
///
/// ### Storage
///
/// - ``ownsForeignKey``
/// - ``RelationshipStorage``
/// - ``JoinDescription``
///
/// ### Later versions and datasets
///
/// - ``renamedFrom``
/// - ``externalName``
/// - ``externalKey``
/// - ``externalLink``
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
    ///
    /// If it is `false`, a to-one relationship does not permit null, and a to-many relationship needs at least one
    /// object.
    public var isOptional: Bool
    /// The minimum count of objects in a to-many relationship; an optional relationship may also be empty.
    ///
    /// With a minimum of 2, an optional relationship has no object or at least 2. The count is checked at the end of a
    /// save or of a batch, so that the objects can be added one by one. It is 0 for a to-one relationship.
    public var minimumCount: Int
    /// The maximum count of objects in a to-many relationship; `nil` if there is no limit.
    ///
    /// A maximum is at least 1 and not less than the minimum. It is `nil` for a to-one relationship.
    public var maximumCount: Int?
    /// A Boolean value that indicates whether the objects of a to-many relationship are ordered.
    ///
    /// It is permitted only for a to-many relationship, and not for a symmetric one. Without an order, the objects are
    /// sorted by identifier.
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
    ///
    /// A migration from a model that has one of these names, and not the current name, keeps the references.
    public var renamedFrom: [String]

    /// Creates the description of one side of a relationship.
    ///
    /// The initializer checks nothing; ``ManagedObjectModel/init(_:)`` checks both sides together. If
    /// `orderingAttribute` is not `nil`, the relationship is ordered.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship, unique within its entity; letters, digits and `_`.
    ///   - destination: The name of the referenced entity.
    ///   - cardinality: The maximum count of objects: to-one or to-many.
    ///   - inverse: The name of the relationship of the destination that references back.
    ///   - deleteRule: The effect on the referenced objects when an object of this entity is deleted.
    ///   - isOptional: A Boolean value that indicates whether the relationship may reference no object.
    ///   - minimumCount: The minimum count of objects in a to-many relationship, at least 0.
    ///   - maximumCount: The maximum count of objects in a to-many relationship, at least 1; `nil` for no limit.
    ///   - isOrdered: A Boolean value that indicates whether the objects of a to-many relationship have an order.
    ///   - orderingAttribute: The attribute of the destination that stores the order of a one-to-many relationship.
    ///   - ownsForeignKey: `false` for the side of a one-to-one relationship without a column.
    ///   - externalName: The name of the column in datasets; `nil` if it is `name`.
    ///   - externalKey: The key that datasets contain instead of the target's identifier.
    ///   - externalLink: The representation of join rows in datasets.
    ///   - renamedFrom: The names in earlier versions of the model.
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
///
/// The rule is declared at the relationship of the object that is deleted, as in Core Data. For example, the rule of
/// `Boss.employees` applies when a boss is deleted. A context and a batch apply the rules; a store only rejects
/// references to objects that do not exist.
public enum DeleteRule: String, Sendable, Hashable, Codable {
    /// The referenced objects lose their reference to the deleted object.
    ///
    /// A model is invalid if the inverse is mandatory, because it could not become null.
    case nullify
    /// The referenced objects are deleted too.
    ///
    /// Their own delete rules are then applied, too.
    case cascade
    /// The deletion fails unless the same save deletes all referenced objects.
    case deny
    /// The referenced objects do not change; if one of them still references the deleted object, the save fails.
    case noAction
}
