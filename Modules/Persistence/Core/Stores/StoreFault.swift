/// One thing that is wrong with a store, as a check finds it.
///
/// ```swift
/// try PersistentContainer.check(model: model, .sqlite(at: url)) { print($0) }
/// // Employee 7 salary: is less than 0
/// ```
public struct StoreFault: Sendable, Hashable {
    /// What kind of fault it is.
    ///
    /// A new one may come with a new version: have a `default` where they are told apart.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The file itself is damaged, or the part of it that holds an entity's rows.
        case file
        /// A table, or a column of it, is not as the model has it.
        case schema
        /// An index is missing, is other than the model's, or does not fit the rows.
        case index
        /// What is stored is no value of the column's type, or null where that is not allowed.
        case type
        /// An identifier is none that a row gets, or out of order.
        case identifier
        /// A value breaks a rule of the model, a relationship leads to too few or too many objects, or a record's initialiser refuses the row.
        case rule
        /// A reference, or a pair of a many-to-many relationship, leads to an object that does not exist.
        case reference
        /// Two objects have one value of an attribute that is declared unique.
        case uniqueness
        /// The next identifier of an entity is missing, is none, or was given already.
        case sequence
        /// What the store knows of itself is missing or wrong.
        case metadata
    }

    /// What kind of fault it is.
    public let kind: Kind
    /// The entity; `nil` where it is the store as a whole.
    public let entity: String?
    /// The identifier of the object, as it is stored; `nil` where it is no single one.
    public let id: Int64?
    /// The attribute or relationship; `nil` where it is no single one.
    public let attribute: String?
    /// What is wrong, without the value.
    public let message: String
    /// Whether what a repair needs to mend it without a guess is known.
    ///
    /// False after a repair: what could be mended was.
    public let isRepairable: Bool
    /// More about the fault, in the words of the error that the initializer of a record type threw; it may contain values.
    public var details: String?
    /// The name of the row for people, as `code “A”`; `nil` unless the caller sets it.
    ///
    /// ``description`` has it instead of the identifier.
    public var rowName: String?

    /// A fault.
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
    /// One line: `Employee 7 salary: is less than 0`, or `store: …` where it is nobody's.
    public var description: String {
        let place = [entity, rowName ?? id.map(String.init), attribute].compactMap { $0 }
        return "\(place.isEmpty ? "store" : place.joined(separator: " ")): \(message)"
    }

    /// The description with ``details``.
    public var debugDescription: String { description + (details.map { ": \($0)" } ?? "") }
}
