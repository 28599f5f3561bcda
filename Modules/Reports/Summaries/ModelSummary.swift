import StrataCore

/// A model for a diagram: the entities, and each relationship between two entities once.
struct ModelSummary: Sendable {
    /// An entity.
    struct Box: Sendable, Hashable {
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
        let name: String
        let inverse: String?
        let isToMany: Bool
        let isInverseToMany: Bool
        let isOptional: Bool
    }

    /// The maximum number of boxes in a readable diagram.
    static let mostBoxes = 40
    private static let mostLines = 8

    let boxes: [Box]
    let links: [Link]
    /// The number of entities that are not drawn, which are the last ones.
    let rest: Int

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
