import StrataCore

/// Writes a model as a Data Package descriptor.
struct DescriptorWriter {
    let model: ManagedObjectModel

    func descriptor() -> JSONValue {
        var package = ObjectBuilder()
        package.add("$schema", DescriptorWords.schema)
        package.add("strata:version", Int(DescriptorWords.version))
        package.add("resources", .array(model.entities.map(resource)))
        return package.value
    }

    private func resource(_ entity: EntityDescription) -> JSONValue {
        let name = entity.external.name ?? entity.name
        var resource = ObjectBuilder()
        resource.add("name", name)
        resource.add("type", "table")
        resource.add("path", Self.path(name, entity))
        var names = ModelNames()
        if names.name(for: name, isEntity: true, otherwise: "") != entity.name {
            resource.add("strata:name", entity.name)
        }
        if entity.external.idColumn == nil { resource.add("strata:ids", "own") }
        resource.add("schema", schema(entity))
        let links = model.joins.filter { $0.sourceEntity == entity.name }.compactMap(link)
        if !links.isEmpty { resource.add("strata:links", .array(links)) }
        let order = entity.properties.map(\.name)
        if order != usualOrder(of: entity) { resource.add("strata:properties", order) }
        return resource.value
    }

    /// The file that a table would have.
    private static func path(_ name: String, _ entity: EntityDescription) -> String {
        let isPlain = name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
                || $0 == 0x5F
        }
        return (isPlain && !name.isEmpty ? name : entity.name) + ".csv"
    }

    /// The order in which a reader finds an entity's properties: columns, then what leads back, then links.
    private func usualOrder(of entity: EntityDescription) -> [String] {
        var order = entity.columns.map(\.name)
        for other in model.entities {
            for relationship in other.relationships
            where relationship.destination == entity.name && other.columnIndex(relationship.name) != nil {
                if let inverse = relationship.inverse { order.append(inverse) }
            }
        }
        for join in model.joins {
            if join.sourceEntity == entity.name { order.append(join.sourceRelationship) }
            if join.targetEntity == entity.name, !join.isSymmetric { order.append(join.targetRelationship) }
        }
        return order
    }

    private func schema(_ entity: EntityDescription) -> JSONValue {
        var schema = ObjectBuilder()
        let writer = FieldWriter()
        var fields = entity.columns.map { column in
            column.attribute.map(writer.field) ?? writer.reference(column)
        }
        if let id = entity.external.idColumn { fields.insert(writer.identifier(id), at: 0) }
        schema.add("fields", .array(fields))
        if let id = entity.external.idColumn { schema.add("primaryKey", [id]) }
        let keys = entity.relationships.filter { entity.columnIndex($0.name) != nil }.compactMap {
            foreignKey($0, of: entity)
        }
        if !keys.isEmpty { schema.add("foreignKeys", .array(keys)) }
        return schema.value
    }

    private func foreignKey(_ relationship: RelationshipDescription, of entity: EntityDescription) -> JSONValue? {
        guard let destination = model[relationship.destination] else { return nil }
        let field = relationship.externalName ?? relationship.name
        var key = ObjectBuilder()
        key.add("fields", [field])
        var reference = ObjectBuilder()
        if destination.name != entity.name { reference.add("resource", destination.external.name ?? destination.name) }
        reference.add("fields", [destination.external.idColumn ?? "id"])
        key.add("reference", reference.value)
        var names = ModelNames()
        if names.name(for: field, otherwise: "") != relationship.name { key.add("strata:name", relationship.name) }
        key.add("strata:deleteRule", relationship.deleteRule, unless: .nullify)
        guard let name = relationship.inverse, let inverse = destination.relationship(named: name) else {
            key.add("strata:inverse", JSONValue.null)
            return key.value
        }
        key.add("strata:inverse", name)
        key.add(
            "strata:inverseDeleteRule", inverse.deleteRule, unless: .ofInverse(isOptional: relationship.isOptional))
        key.add("strata:inverseOptional", inverse.isOptional, unless: true)
        key.add("strata:ordered", inverse.orderingAttribute)
        key.add("strata:minimumCount", inverse.minimumCount == 0 ? nil : inverse.minimumCount)
        key.add("strata:maximumCount", inverse.maximumCount)
        return key.value
    }

    private func link(_ join: JoinDescription) -> JSONValue? {
        guard let target = model[join.targetEntity],
            let source = model[join.sourceEntity]?.relationship(named: join.sourceRelationship),
            let back = target.relationship(named: join.targetRelationship)
        else { return nil }
        var link = ObjectBuilder()
        link.add("name", source.name)
        link.add("resource", target.external.name ?? target.name)
        link.add("inverse", back.name)
        link.add("deleteRule", source.deleteRule, unless: .nullify)
        link.add("optional", source.isOptional, unless: true)
        link.add("ordered", source.isOrdered, unless: false)
        link.add("minimumCount", source.minimumCount == 0 ? nil : source.minimumCount)
        link.add("maximumCount", source.maximumCount)
        guard !join.isSymmetric else { return link.value }
        link.add("inverseDeleteRule", back.deleteRule, unless: .nullify)
        link.add("inverseOptional", back.isOptional, unless: true)
        link.add("inverseOrdered", back.isOrdered, unless: false)
        link.add("inverseMinimumCount", back.minimumCount == 0 ? nil : back.minimumCount)
        link.add("inverseMaximumCount", back.maximumCount)
        return link.value
    }
}

extension DeleteRule {
    /// The rule of what leads back over a reference, where nobody says one: what needs its owner keeps it from going.
    static func ofInverse(isOptional: Bool) -> DeleteRule { isOptional ? .nullify : .deny }
}
