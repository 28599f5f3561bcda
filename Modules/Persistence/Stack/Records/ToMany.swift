import StrataCore

/// A to-many relationship as a typed value, which methods accept instead of the relationship's name.
///
/// Declare it as a static property of the source's record type, and add it to the entity with
/// `RecordProperty.relationship(_:)`. Afterwards, a key path identifies the relationship:
///
/// ```swift
/// extension Bill {
///     static var lines: ToMany<Bill, BillLine> { ToMany("lines", to: "BillLine", inverse: "bill") }
/// }
///
/// let expensive = RecordFilter<Bill>.any(\.lines, matching: #Predicate { $0.amount > 90_000 })
/// ```
///
/// In an extension, declare the static property as a computed property. With Swift 6.3, a key path from another module
/// to a stored static property of an extension crashes in debug builds. In the body of the type, it may be a `let`
/// constant.
///
/// The value contains only the description of the relationship, no objects. To read or change the related objects, pass
/// it or its key path to a method of ``RecordTransaction`` or ``ConfinedContext``. For records without a Swift type,
/// ``RecordEntity/toMany(_:)`` returns such a value.
///
/// ## Topics
///
/// - ``name``
/// - ``init(_:to:inverse:deleteRule:isOptional:minimumCount:maximumCount:isOrdered:orderedBy:)``
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
    /// Creates a relationship to any number of related objects.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship.
    ///   - destination: The name of the related objects' entity, which the model compares with the record type
    ///     `Destination`. It is a string because two entities that reference each other could not be created if each
    ///     needed the other.
    ///   - inverse: The name of the inverse relationship.
    ///   - deleteRule: The rule that applies to the related objects when the source is deleted.
    ///   - isOptional: A Boolean value that indicates whether the relationship may be empty.
    ///   - minimumCount: The minimum number of related objects. If `isOptional` is `true`, the relationship may also be
    ///     empty.
    ///   - maximumCount: The maximum number of related objects; `nil` means no limit.
    ///   - isOrdered: A Boolean value that indicates whether a many-to-many relationship is ordered.
    ///   - orderingAttribute: The name of the destination's attribute that contains the sort key, if the inverse is a
    ///     to-one relationship and this relationship is ordered.
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
