import StrataCore

/// A model as it is drawn: entities, and each relationship between two of them once.
struct ModelSummary: Sendable {
    /// An entity.
    struct Box: Sendable, Hashable {
        let name: String
        /// The attributes with their types, as many as are shown.
        let lines: [String]
        /// How many more there are.
        let rest: Int
    }

    /// A relationship with its inverse; it is drawn from the side that holds the reference, or the pairs' first side.
    struct Link: Sendable, Hashable {
        /// Places of the boxes.
        let from: Int
        let to: Int
        let name: String
        let inverse: String?
        let isToMany: Bool
        let isInverseToMany: Bool
        let isOptional: Bool
    }

    /// More boxes are no picture any more.
    static let mostBoxes = 40
    private static let mostLines = 8

    let boxes: [Box]
    let links: [Link]
    /// How many entities are not drawn, the last ones.
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

    /// Whether there is more to see than one box.
    var isWorthDrawing: Bool { boxes.count > 1 || !links.isEmpty }
}
