import StrataCore

/// The side of a one-to-one relationship that has no column, as a typed value.
///
/// It is read from the column of the other side.
///
/// ```swift
/// extension Traveller {
///     static var passport: ToOne<Traveller, Passport> { ToOne("passport", to: "Passport", inverse: "holder") }
/// }
/// ```
///
/// The static property is computed if it is in an extension, as for a ``ToMany``.
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
    /// Creates a relationship to at most one object, which contains the reference.
    ///
    /// - Parameters:
    ///   - name: The relationship's name.
    ///   - destination: The name of the entity of `Destination`.
    ///   - inverse: The inverse relationship, which has the column.
    ///   - deleteRule: The rule for the destination when the source is deleted.
    public init(_ name: String, to destination: String, inverse: String, deleteRule: DeleteRule = .nullify) {
        self.init(
            RelationshipDescription(
                name, to: destination, .toOne, inverse: inverse, deleteRule: deleteRule, ownsForeignKey: false))
    }
}
