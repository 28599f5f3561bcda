/// One fault of a store that a check found.
///
/// ```swift
/// try PersistentContainer.check(model: model, .sqlite(at: url)) { print($0) }
/// // Employee 7 salary: is less than 0
/// ```
public struct StoreFault: Sendable, Hashable {
    /// The kind of a fault.
    ///
    /// A later version may add a kind: add a `default` to a `switch`.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The file itself is damaged, or the part of it that contains an entity's rows.
        case file
        /// A table, or a column of it, differs from the model.
        case schema
        /// An index is missing, differs from the model, or does not match the rows.
        case index
        /// A stored value is not a value of the column's type, or is null although the column does not permit null.
        case type
        /// An identifier is not a valid one, or is out of order.
        case identifier
        /// A value breaks a rule, a relationship has too few or too many objects, or a record rejects the row.
        ///
        /// Rules are those of the model. The record's initializer rejects the row.
        case rule
        /// A reference, or a join row of a many-to-many relationship, is dangling.
        case reference
        /// Two objects have the same value of a unique attribute.
        case uniqueness
        /// The next identifier of an entity is missing, invalid, or already assigned.
        case sequence
        /// The metadata of the store is missing or wrong.
        case metadata
    }

    /// The kind of the fault.
    public let kind: Kind
    /// The entity; `nil` if the fault concerns the whole store.
    public let entity: String?
    /// The identifier of the object, as it is stored; `nil` if the fault does not concern a single object.
    public let id: Int64?
    /// The attribute or relationship; `nil` if the fault does not concern a single one.
    public let attribute: String?
    /// A description of the fault, without the value.
    public let message: String
    /// A Boolean value that indicates whether a repair can fix the fault without a guess.
    ///
    /// The value is `false` after a repair, because the repair has fixed everything that it can.
    public let isRepairable: Bool
    /// More details of the fault: the text of the error of a record type's initializer; it may contain values.
    public var details: String?
    /// The name of the row for people, such as `code “A”`; `nil` unless the caller sets it.
    ///
    /// ``description`` shows the name in place of the identifier.
    public var rowName: String?

    /// Creates a fault.
    public init(
        _ kind: Kind, _ message: String, entity: String? = nil, id: Int64? = nil, attribute: String? = nil,
        isRepairable: Bool = false
    ) {
        self.kind = kind
        self.entity = entity
        self.id = id
        self.attribute = attribute
        self.message = message
        self.isRepairable = isRepairable
    }
}

extension StoreFault: CustomStringConvertible, CustomDebugStringConvertible {
    /// One line: `Employee 7 salary: is less than 0`, or `store: …` if the fault concerns the whole store.
    public var description: String {
        let place = [entity, rowName ?? id.map(String.init), attribute].compactMap { $0 }
        return "\(place.isEmpty ? "store" : place.joined(separator: " ")): \(message)"
    }

    /// The description with ``details``.
    public var debugDescription: String { description + (details.map { ": \($0)" } ?? "") }
}
