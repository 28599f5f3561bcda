/// A fault of a store that a check has found.
///
/// ```swift
/// try PersistentContainer.check(model: model, .sqlite(at: url)) { print($0) }
/// // Employee 7 salary: is less than 0
/// ```
///
/// A check continues after a fault and reports all of them, in contrast to an error. ``description`` contains no stored
/// value unless ``rowName`` is set.
///
/// ## Topics
///
/// ### The fault
///
/// - ``kind``
/// - ``Kind``
/// - ``message``
/// - ``details``
/// - ``isRepairable``
///
/// ### The row
///
/// - ``entity``
/// - ``id``
/// - ``attribute``
/// - ``rowName``
///
/// ### Describing
///
/// - ``description``
/// - ``debugDescription``
public struct StoreFault: Sendable, Hashable {
    /// The kind of a store's fault.
    ///
    /// A later version may add a kind, so add a `default` to a `switch`.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The store's file is damaged as a whole, or in the part with an entity's rows.
        case file
        /// A table or one of its columns differs from the model.
        case schema
        /// An index is missing, differs from the model, or does not match the rows.
        case index
        /// A stored value does not have the column's type, or is null although the column forbids null.
        case type
        /// The identifier of a row is out of range or out of order.
        case identifier
        /// A row breaks a rule of the model, has too few or too many related objects, or is rejected by its record's
        /// initializer.
        case rule
        /// A reference, or a join row of a many-to-many relationship, is dangling.
        case reference
        /// Two objects of an entity have the same unique value.
        case uniqueness
        /// The next identifier of an entity is missing, invalid, or assigned to a row already.
        case sequence
        /// The metadata of the store is missing or wrong.
        case metadata
    }

    /// The kind of the fault.
    public let kind: Kind
    /// The name of the entity; `nil` if the fault concerns the whole store.
    public let entity: String?
    /// The identifier of the row as it is stored; `nil` if the fault does not concern a single row.
    public let id: Int64?
    /// The name of the attribute or relationship; `nil` if the fault does not concern a single one.
    public let attribute: String?
    /// A description of the fault, without the stored value.
    public let message: String
    /// A Boolean value that indicates whether a repair can fix the fault from the stored rows.
    ///
    /// It is `false` for each fault that remains after a repair.
    public let isRepairable: Bool
    /// The text of the error that a record type's initializer threw, which may contain values; `nil` for other faults.
    public var details: String?
    /// The name of the fault's row for people, such as `code “A”`; `nil` if the caller has not set it.
    ///
    /// ``description`` contains this name instead of the identifier.
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
    /// The fault as one line: `Employee 7 salary: is less than 0`, or `store: …` if it concerns the whole store.
    public var description: String {
        let place = [entity, rowName ?? id.map(String.init), attribute].compactMap { $0 }
        return "\(place.isEmpty ? "store" : place.joined(separator: " ")): \(message)"
    }

    /// The fault as one line: ``description``, followed by ``details``.
    public var debugDescription: String { description + (details.map { ": \($0)" } ?? "") }
}
