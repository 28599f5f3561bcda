import Foundation

extension ManagedObjectModel {
    /// Creates a model from the image that older versions of this library recorded in a store.
    ///
    /// The image contains names, types and references. Rules and defaults are only described in sentences, which cannot
    /// be converted back.
    ///
    /// - Parameters:
    ///   - json: The image, as ``json()`` returns it.
    ///   - model: A model that supplies each property that is equal to the image's property. All other properties get
    ///     no rules, because their rules are unknown.
    /// - Throws: `DecodingError` if the text is not an image, or ``PersistenceError`` if the model is inconsistent.
    package init(fromImage json: String, filledBy model: ManagedObjectModel) throws {
        let image = try JSONDecoder().decode(ModelImage.self, from: Data(json.utf8))
        try self.init(
            image.entities.map { entity in
                let known = model[entity.name]
                let properties = try entity.properties.map { property in
                    let same = known.flatMap { known in
                        known.properties.first { ModelImage.Property($0, of: known) == property }
                    }
                    guard case .attribute(var attribute)? = same else { return try same ?? property.described() }
                    // The image does not contain renamed values.
                    attribute.renamedValues = []
                    return .attribute(attribute)
                }
                return EntityDescription(
                    entity.name, properties, uniquenessConstraints: entity.uniquenessConstraints ?? [],
                    indexes: entity.indexes ?? [], external: known?.external ?? ExternalForm(),
                    keepsOrder: entity.keepsOrder ?? false)
            })
    }
}

extension ModelImage.Property {
    /// Returns the property that the image describes, without its rules and default.
    fileprivate func described() throws -> EntityDescription.Property {
        guard let destination else {
            let type = try JSONDecoder().decode(AttributeType.self, from: try JSONEncoder().encode(type))
            return .attribute(
                AttributeDescription(
                    name, type, isOptional: isOptional, isUnique: isUnique ?? false, isIndexed: isIndexed ?? false,
                    isImmutable: isConstant ?? false))
        }
        return .relationship(
            RelationshipDescription(
                name, to: destination, type == RelationshipDescription.Cardinality.toMany.rawValue ? .toMany : .toOne,
                inverse: inverse, deleteRule: deleteRule.flatMap(DeleteRule.init) ?? .nullify, isOptional: isOptional,
                minimumCount: minimumCount ?? 0, maximumCount: maximumCount, isOrdered: isOrdered ?? false,
                orderingAttribute: positionAttribute, ownsForeignKey: isStored ?? true))
    }
}
