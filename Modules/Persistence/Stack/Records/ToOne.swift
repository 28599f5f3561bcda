import StrataCore

/// The side of a one-to-one relationship that has no column, as a typed value; the other side's column answers it.
///
/// ```swift
/// extension Traveller {
///     static var passport: ToOne<Traveller, Passport> { ToOne("passport", to: "Passport", inverse: "holder") }
/// }
/// ```
///
/// Computed where it stands in an extension, as a ``ToMany`` is.
public struct ToOne<Source: ManagedRecord, Destination: ManagedRecord>: Sendable {
    let description: RelationshipDescription

    /// The relationship's name.
    public var name: String { description.name }

    /// A relationship that a model has.
    init(_ description: RelationshipDescription) {
        self.description = description
    }
}

extension ToOne where Source: PersistentRecord, Destination: PersistentRecord {
    /// Describes a relationship to at most one object, which holds the reference.
    ///
    /// - Parameters:
    ///   - name: The relationship's name.
    ///   - destination: The name of the entity of `Destination`.
    ///   - inverse: The relationship that leads back, which has the column.
    ///   - deleteRule: What happens to the destination when the source is deleted.
    public init(_ name: String, to destination: String, inverse: String, deleteRule: DeleteRule = .nullify) {
        self.init(
            RelationshipDescription(
                name, to: destination, .toOne, inverse: inverse, deleteRule: deleteRule, ownsForeignKey: false))
    }
}
