import StrataCore

/// A model for a diagram: the entities, and each relationship between two entities once.
///
/// A large model is truncated, because a diagram of many boxes is not readable. Relationships to entities that are not
/// drawn are omitted.
struct ModelSummary: Sendable {
    /// An entity.
    struct Box: Sendable, Hashable {
        /// The name of the entity.
        let name: String
        /// The attributes with their types, up to the maximum number.
        let lines: [String]
        /// The number of attributes that are omitted.
        let rest: Int
    }

    /// A relationship with its inverse, drawn from the side with the reference or from a join table's first side.
    struct Link: Sendable, Hashable {
        /// The indexes of the boxes.
        let from: Int
        let to: Int
        /// The name of the relationship.
        let name: String
        /// The name of the inverse relationship; `nil` if there is none.
        let inverse: String?
        /// A Boolean value that indicates whether the relationship is to-many.
        let isToMany: Bool
        /// A Boolean value that indicates whether several rows can reference the same row; true without an inverse.
        let isInverseToMany: Bool
        let isOptional: Bool
    }

    /// The maximum number of boxes in a readable diagram.
    static let mostBoxes = 40
    /// The maximum number of attributes in a box.
    private static let mostLines = 8

    /// The entities in the order of the model, at most ``mostBoxes``.
    let boxes: [Box]
    let links: [Link]
    /// The number of entities that are not drawn, which are the last ones.
    let rest: Int

    /// Creates a summary of a model.
    ///
    /// Each relationship is drawn from the side that has the column of the reference, or from the source of its join
    /// table.
    init(_ model: ManagedObjectModel) {
        let entities = model.entities.prefix(Self.mostBoxes)
        rest = model.entities.count - entities.count
        boxes = entities.map { entity in
            let lines = entity.attributes.map { "\($0.name): \($0.type.coding.spokenName)" }
            return Box(
                name: entity.name, lines: Array(lines.prefix(Self.mostLines)),
                rest: max(0, lines.count - Self.mostLines))
        }
        let places = Dictionary(uniqueKeysWithValues: entities.enumerated().map { ($1.name, $0) })
        links = entities.enumerated().flatMap { place, entity in
            entity.relationships.compactMap { relationship -> Link? in
                let isHolder =
                    entity.columnIndex(relationship.name) != nil
                    || model.join(of: relationship.name, in: entity.name)?.isSource == true
                guard isHolder, let other = places[relationship.destination] else { return nil }
                let inverse = relationship.inverse.flatMap { name in
                    model[relationship.destination]?.relationships.first { $0.name == name }
                }
                return Link(
                    from: place, to: other, name: relationship.name, inverse: relationship.inverse,
                    isToMany: relationship.cardinality == .toMany,
                    isInverseToMany: inverse.map { $0.cardinality == .toMany } ?? true,
                    isOptional: relationship.isOptional)
            }
        }
    }

    /// A Boolean value that indicates whether the diagram has more than a single box.
    var isWorthDrawing: Bool { boxes.count > 1 || !links.isEmpty }
}
