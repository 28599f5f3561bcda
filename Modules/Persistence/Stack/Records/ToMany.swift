import StrataCore

/// A to-many relationship as a typed value: how it is asked for without a string.
///
/// Declared as a static of the source's record type, put into its entity with `Property.relationship`, and named by a key path from then on:
///
/// ```swift
/// extension Bill {
///     static var lines: ToMany<Bill, BillLine> { ToMany("lines", to: "BillLine", inverse: "bill") }
/// }
///
/// let expensive = RecordFilter<Bill>.any(\.lines, matching: #Predicate { $0.amount > 90_000 })
/// ```
///
/// The static is computed where it stands in an extension: with Swift 6.3 a key path from another module to a stored static of an extension
/// crashes in debug builds. In the body of the type it may be a `let`.
public struct ToMany<Source: ManagedRecord, Destination: ManagedRecord>: Sendable {
    let description: RelationshipDescription

    /// The relationship's name.
    public var name: String { description.name }

    /// A relationship that a model has.
    init(_ description: RelationshipDescription) {
        self.description = description
    }
}

extension ToMany where Source: PersistentRecord, Destination: PersistentRecord {
    /// Describes a relationship to any number of objects.
    ///
    /// - Parameters:
    ///   - name: The relationship's name.
    ///   - destination: The name of the entity of `Destination`, which the model compares with the record type: two entities that refer to each
    ///     other could not be made if each asked for the other's description.
    ///   - inverse: The relationship that leads back.
    ///   - deleteRule: What happens to the destinations when the source is deleted.
    ///   - isOptional: Whether there may be none.
    ///   - minimumCount: The fewest, unless there may be none and is none.
    ///   - maximumCount: The most; `nil` is no limit.
    ///   - isOrdered: Whether a many-to-many relationship keeps an order.
    ///   - orderingAttribute: The destination's attribute that holds its sort key, where the inverse is a to-one relationship.
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
