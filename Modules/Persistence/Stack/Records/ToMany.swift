import StrataCore

/// A to-many relationship as a typed value, which replaces the relationship's name as a string.
///
/// Declare it as a static property of the source's record type, and add it to its entity with `Property.relationship`.
/// Afterwards name it by a key path:
///
/// ```swift
/// extension Bill {
///     static var lines: ToMany<Bill, BillLine> { ToMany("lines", to: "BillLine", inverse: "bill") }
/// }
///
/// let expensive = RecordFilter<Bill>.any(\.lines, matching: #Predicate { $0.amount > 90_000 })
/// ```
///
/// The static property is computed if it is in an extension. With Swift 6.3, a key path from another module to a stored
/// static property of an extension crashes in debug builds. In the body of the type it may be a `let`.
public struct ToMany<Source: ManagedRecord, Destination: ManagedRecord>: Sendable {
    let description: RelationshipDescription

    /// The relationship's name.
    public var name: String { description.name }

    /// Creates a relationship from its description in a model.
    init(_ description: RelationshipDescription) {
        self.description = description
    }
}

extension ToMany where Source: PersistentRecord, Destination: PersistentRecord {
    /// Creates a relationship to any number of objects.
    ///
    /// - Parameters:
    ///   - name: The relationship's name.
    ///   - destination: The name of the entity of `Destination`, which the model compares with the record type. The
    ///     name is a string because two entities that reference each other could not be created if each required the
    ///     other's description.
    ///   - inverse: The inverse relationship.
    ///   - deleteRule: The rule for the destinations when the source is deleted.
    ///   - isOptional: A Boolean value that indicates whether the relationship may be empty.
    ///   - minimumCount: The minimum count of objects, unless the relationship is optional and empty.
    ///   - maximumCount: The maximum count of objects; `nil` is no limit.
    ///   - isOrdered: A Boolean value that indicates whether a many-to-many relationship is ordered.
    ///   - orderingAttribute: The destination's attribute with the sort key, if the inverse is a to-one relationship.
    public init(
        _ name: String,
        to destination: String,
        inverse: String,
        deleteRule: DeleteRule = .nullify,
        isOptional: Bool = true,
        minimumCount: Int = 0,
        maximumCount: Int? = nil,
        isOrdered: Bool = false,
        orderedBy orderingAttribute: String? = nil
    ) {
        self.init(
            RelationshipDescription(
                name, to: destination, .toMany, inverse: inverse, deleteRule: deleteRule, isOptional: isOptional,
                minimumCount: minimumCount, maximumCount: maximumCount, isOrdered: isOrdered,
                orderingAttribute: orderingAttribute))
    }
}
