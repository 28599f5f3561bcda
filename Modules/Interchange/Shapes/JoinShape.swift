import StrataCore

extension EntityDescription {
    /// Creates an entity for the join rows of a join table: `source`, `target`, and the positions if any.
    ///
    /// If the dataset is not described it has identifiers in columns with these names.
    init(pairsOf join: JoinDescription) {
        guard let table = join.linkTable else {
            let isIdentifier = AttributeRule.minimum(.integer(1))
            self.init(
                join.name,
                [
                    .attribute(AttributeDescription("source", .integer64, rules: [isIdentifier])),
                    .attribute(AttributeDescription("target", .integer64, rules: [isIdentifier])),
                    .attribute(AttributeDescription("sourcePosition", .integer64, isOptional: true)),
                    .attribute(AttributeDescription("targetPosition", .integer64, isOptional: true)),
                ], external: ExternalForm(identifiers: .own))
            return
        }
        let isSource = join.isLinkOfSource
        func end(_ name: String, _ entity: String, _ key: ExternalKey) -> Property {
            let isIdentifier = key.properties.isEmpty
            return .relationship(
                RelationshipDescription(
                    name, to: entity, .toOne, isOptional: false, externalName: isIdentifier ? key.columns.first : nil,
                    externalKey: isIdentifier ? nil : key))
        }
        var properties = [
            end("source", join.sourceEntity, isSource ? table.owner : table.destination),
            end("target", join.targetEntity, isSource ? table.destination : table.owner),
        ]
        for (name, column) in [
            ("sourcePosition", isSource ? table.position : table.inversePosition),
            ("targetPosition", isSource ? table.inversePosition : table.position),
        ] {
            guard let column else { continue }
            properties.append(
                .attribute(AttributeDescription(name, .integer64, isOptional: true, externalName: column)))
        }
        self.init(
            join.name, properties,
            external: ExternalForm(name: table.name, identifiers: .own, columns: table.columns))
    }
}
