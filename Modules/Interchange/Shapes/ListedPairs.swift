import StrataCore

/// A column that lists the targets of a many-to-many relationship.
///
/// The column exists only in files; a store has join rows instead.
struct ListedPairs: Sendable {
    let join: JoinDescription
    /// A Boolean value that indicates whether the entity is the source of the relationship.
    let isSource: Bool
    let list: ExternalList
    /// The key by which the elements reference; `nil` for identifiers.
    let key: ReferenceKey?
    /// The index among the external columns.
    let source: Int

    /// Creates the column of a relationship; `nil` if it has no list column.
    init?(_ name: String, of entity: EntityDescription, in model: ManagedObjectModel, source: Int) {
        guard let (join, isSource) = model.join(of: name, in: entity.name),
            case .list(let list) = entity.relationship(named: name)?.externalLink
        else { return nil }
        (self.join, self.isSource, self.list, self.source) = (join, isSource, list, source)
        let destination = isSource ? join.targetEntity : join.sourceEntity
        key = list.property.flatMap { model.referenceKey([$0], of: destination) }
    }

    /// The type of the elements.
    var elementType: AttributeType { key?.values.first?.type ?? .integer64 }

    /// The entity that the elements reference.
    var destination: String { isSource ? join.targetEntity : join.sourceEntity }
}
