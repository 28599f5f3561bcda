import StrataCore

/// A one-to-one relationship without a column, as a typed value.
///
/// The related row has the column, which references the owner.
///
/// ```swift
/// extension Traveller {
///     static var passport: ToOne<Traveller, Passport> { ToOne("passport", to: "Passport", inverse: "holder") }
/// }
/// ```
///
/// In an extension, declare the static property as a computed property; see ``ToMany``.
///
/// A to-one relationship with a column needs no such value, because the record has a property for it; see
/// ``RecordProperty``.
///
/// ## Topics
///
/// - ``name``
/// - ``init(_:to:inverse:deleteRule:)``
public struct ToOne<Source: ManagedRecord, Destination: ManagedRecord>: Sendable {
    let description: RelationshipDescription

    /// The relationship's name.
    public var name: String { description.name }

    /// Creates a relationship from its description in a model.
    init(_ description: RelationshipDescription) {
        self.description = description
    }
}

extension ToOne where Source: PersistentRecord, Destination: PersistentRecord {
    /// Creates a relationship to at most one related object, which contains the reference.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship.
    ///   - destination: The name of the related object's entity.
    ///   - inverse: The name of the inverse relationship, which has the column.
    ///   - deleteRule: The rule that applies to the related object when the source is deleted.
    public init(_ name: String, to destination: String, inverse: String, deleteRule: DeleteRule = .nullify) {
        self.init(
            RelationshipDescription(
                name, to: destination, .toOne, inverse: inverse, deleteRule: deleteRule, ownsForeignKey: false))
    }
}
