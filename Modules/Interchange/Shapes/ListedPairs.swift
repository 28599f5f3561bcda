import StrataCore

/// A column with what a many-to-many relationship leads to.
struct ListedPairs: Sendable {
    let join: JoinDescription
    /// Whether the entity is the source.
    let isSource: Bool
    let list: ExternalList
    /// By what the elements refer; `nil` for identifiers.
    let key: ReferenceKey?
    /// The place among the external columns.
    let source: Int

    /// The column of a relationship; `nil` where it has none.
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

    /// The entity that the elements name objects of.
    var destination: String { isSource ? join.targetEntity : join.sourceEntity }
}
