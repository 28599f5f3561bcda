import StrataCore

/// A writer of a model as a descriptor of the Data Package standard.
///
/// The descriptor contains the standard's properties wherever they are sufficient, and additional properties only where
/// a reader would otherwise get another model. A property with its default value is omitted. Each default here must be
/// the default of ``DescriptorReader``; the tests compare the read model with the written one.
struct DescriptorWriter {
    let model: ManagedObjectModel
    /// The data files that the descriptor also describes, or `nil` to describe only the model.
    var package: WrittenPackage?
    /// The attributes whose values will be the identifiers of rows, by the names of their entities.
    var identifiers: [String: IdentifyingAttribute] = [:]
    /// The minimum value of `strata:version` in the written descriptor.
    var leastVersion = DescriptorWords.versionWithoutOrder

    /// Returns the descriptor as a JSON object.
    func descriptor() -> JSONValue {
        var package = ObjectBuilder()
        package.add("$schema", DescriptorWords.schema)
        package.add("name", self.package?.name)
        let keepsOrder =
            model.entities.contains(where: \.keepsOrder) || identifiers.values.contains(where: \.keepsOrder)
        package.add(
            "strata:version", Int(keepsOrder ? DescriptorWords.version : leastVersion))
        var tables = model.joins.compactMap { join in join.linkTable.map { linkTable($0, join) } }
        // The model does not need these resources, but their rows are part of the data.
        if self.package != nil { tables += model.joins.filter { $0.hasDataset && $0.linkTable == nil }.map(pairs) }
        package.add("resources", .array(model.entities.map(resource) + tables))
        return package.value
    }

    /// Returns the resource of an entity.
    private func resource(_ entity: EntityDescription) -> JSONValue {
        let name = entity.external.name ?? entity.name
        var resource = ObjectBuilder()
        resource.add("name", name)
        resource.add("title", entity.external.title)
        resource.add("description", entity.external.explanation)
        resource.add("type", "table")
        addFile(of: entity.name, otherwise: ExternalForm.fileName(name, otherwise: entity.name), to: &resource)
        var words = ModelNames()
        if words.name(for: name, isEntity: true, otherwise: "") != entity.name {
            resource.add("strata:name", entity.name)
        }
        let identifier = identifiers[entity.name]
        if entity.external.idColumn == nil, identifier == nil { resource.add("strata:ids", "own") }
        if identifier?.keepsOrder ?? entity.keepsOrder { resource.add("strata:order", "file") }
        func lists(_ lists: [[String]]) -> JSONValue? {
            lists.isEmpty ? nil : .array(lists.map { .array(fields($0, of: entity).map(JSONValue.string)) })
        }
        // A one-to-one reference of several values is a unique key.
        let unique = entity.columns.filter { $0.isUnique && $0.externalKey?.columns.count ?? 1 > 1 }.map { [$0.name] }
        resource.add("schema", schema(entity, uniqueKeys: lists(unique + entity.uniquenessConstraints)))
        resource.add("strata:indexes", lists(entity.indexes))
        let links = model.joins.filter { linkOwner($0) == entity.name }.compactMap(link)
        if !links.isEmpty { resource.add("strata:links", .array(links)) }
        var order = entity.properties.map(\.name)
        if let identifier { order.removeAll { $0 == identifier.name } }
        if order != usualOrder(of: entity) { resource.add("strata:properties", order) }
        resource.add("strata:renamedFrom", earlier: entity.renamedFrom)
        resource.add("strata:computationVersion", entity.computationVersion)
        return resource.value
    }

    /// Returns the names of the fields that represent properties of an entity.
    private func fields(_ properties: [String], of entity: EntityDescription) -> [String] {
        let columns = model.externalColumns(of: entity)
        return properties.compactMap(entity.columnIndex).flatMap { index in
            columns.filter { column in
                switch column.content {
                case .column(index): true
                case .key(index, _): true
                default: false
                }
            }.map(\.name)
        }
    }

    /// Returns the default order in which a reader finds an entity's properties: columns, inverse relationships, and
    /// links.
    private func usualOrder(of entity: EntityDescription) -> [String] {
        var order: [String] = []
        for column in model.externalColumns(of: entity) {
            switch column.content {
            case .column(let index), .key(let index, _):
                let name = entity.columns[index].name
                if !order.contains(name) { order.append(name) }
            case .identifier, .list: continue
            }
        }
        for other in model.entities {
            // A reader finds references in the order of the foreign keys, which is that of the columns.
            for relationship in other.relationships
            where relationship.destination == entity.name && other.columnIndex(relationship.name) != nil {
                if let inverse = relationship.inverse { order.append(inverse) }
            }
        }
        for owner in model.entities {
            for join in model.joins where linkOwner(join) == owner.name {
                let (own, other) = (
                    (join.sourceEntity, join.sourceRelationship), (join.targetEntity, join.targetRelationship)
                )
                let (first, second) = isFromSource(join) ? (own, other) : (other, own)
                if first.0 == entity.name { order.append(first.1) }
                if second.0 == entity.name, !join.isSymmetric { order.append(second.1) }
            }
        }
        return order
    }

    /// Returns a Boolean value that indicates whether a link is written at the entity of its source, which is the
    /// default.
    ///
    /// If the model describes the files of the link at its target, the link is written there.
    private func isFromSource(_ join: JoinDescription) -> Bool { join.link == nil || join.isLinkOfSource }

    /// Returns the name of the entity whose resource declares a link.
    private func linkOwner(_ join: JoinDescription) -> String {
        isFromSource(join) ? join.sourceEntity : join.targetEntity
    }

    /// Returns the schema of an entity's table: the fields in the order of files, and the keys.
    private func schema(_ entity: EntityDescription, uniqueKeys: JSONValue?) -> JSONValue {
        var schema = ObjectBuilder()
        let writer = FieldWriter()
        let fields = model.externalColumns(of: entity).map { column in
            switch column.content {
            case .identifier: writer.identifier(column.name)
            case .column(let index):
                entity.columns[index].attribute
                    .map { writer.field(package?.spelled($0, of: entity.name) ?? $0) }
                    ?? writer.reference(entity.columns[index])
            case .key(let index, _): writer.value(column, of: entity.columns[index])
            case .list(let name): writer.list(column, entity.relationship(named: name))
            }
        }
        schema.add("fields", .array(fields))
        schema.add("missingValues", entity.external.missingValues)
        let identifier = identifiers[entity.name].flatMap { entity.columnIndex($0.name) }
        if let id = identifier.map({ entity.columns[$0].externalName }) ?? entity.external.idColumn {
            schema.add("primaryKey", [id])
        }
        schema.add("uniqueKeys", uniqueKeys)
        let keys = entity.relationships.filter { entity.columnIndex($0.name) != nil }.compactMap {
            foreignKey($0, of: entity)
        }
        if !keys.isEmpty { schema.add("foreignKeys", .array(keys)) }
        return schema.value
    }

    /// Returns the foreign key of a to-one relationship, with the properties of its inverse.
    private func foreignKey(_ relationship: RelationshipDescription, of entity: EntityDescription) -> JSONValue? {
        guard let destination = model[relationship.destination] else { return nil }
        let columns = relationship.externalKey?.columns ?? [relationship.externalName ?? relationship.name]
        var key = ObjectBuilder()
        key.add("fields", columns)
        key.add(
            "reference", reference(to: destination, from: entity.name, by: relationship.externalKey?.properties ?? []))
        var names = ModelNames()
        if columns.count > 1 || names.name(for: columns[0], otherwise: "") != relationship.name {
            key.add("strata:name", relationship.name)
        }
        key.add("strata:deleteRule", relationship.deleteRule, unless: .nullify)
        key.add("strata:renamedFrom", earlier: relationship.renamedFrom)
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
        key.add("strata:inverseRenamedFrom", earlier: inverse.renamedFrom)
        return key.value
    }

    /// Returns the `reference` of a foreign key: the referenced table and the fields of the referenced properties;
    /// without properties, the reference is to the identifier.
    private func reference(to destination: EntityDescription, from owner: String, by properties: [String]) -> JSONValue
    {
        var reference = ObjectBuilder()
        if destination.name != owner { reference.add("resource", destination.external.name ?? destination.name) }
        let fields = fields(properties, of: destination)
        reference.add("fields", fields.isEmpty ? [destination.external.idColumn ?? "id"] : fields)
        return reference.value
    }

    // MARK: Links

    /// Returns the resource of a join table whose files the model describes.
    private func linkTable(_ table: ExternalLinkTable, _ join: JoinDescription) -> JSONValue {
        var resource = ObjectBuilder()
        resource.add("name", table.name)
        resource.add("type", "table")
        addFile(of: join.name, otherwise: ExternalForm.fileName(table.name, otherwise: join.name), to: &resource)
        let writer = FieldWriter()
        let pairs = join.isLinkOfSource
        let ends = [
            (table.owner, pairs ? join.sourceEntity : join.targetEntity),
            (table.destination, pairs ? join.targetEntity : join.sourceEntity),
        ]
        var fields: [JSONValue] = []
        var keys: [JSONValue] = []
        for (end, name) in ends {
            guard let entity = model[name] else { continue }
            let types = model.referenceKey(end.properties, of: name)?.values.map(\.type) ?? [.integer64]
            fields += zip(end.columns, types).map { writer.value(named: $0, $1, isOptional: false, isUnique: false) }
            var key = ObjectBuilder()
            key.add("fields", end.columns)
            key.add("reference", reference(to: entity, from: "", by: end.properties))
            keys.append(key.value)
        }
        for name in [table.position, table.inversePosition].compactMap({ $0 }) {
            fields.append(writer.value(named: name, .integer64, isOptional: true, isUnique: false))
        }
        var schema = ObjectBuilder()
        schema.add("fields", .array(fields))
        schema.add("primaryKey", table.owner.columns + table.destination.columns)
        schema.add("foreignKeys", .array(keys))
        resource.add("schema", schema.value)
        return resource.value
    }

    /// Returns the description of a many-to-many relationship, as a property of the table that declares it.
    private func link(_ join: JoinDescription) -> JSONValue? {
        let isFromSource = isFromSource(join)
        guard let target = model[isFromSource ? join.targetEntity : join.sourceEntity],
            let source = model[linkOwner(join)]?
                .relationship(named: isFromSource ? join.sourceRelationship : join.targetRelationship),
            let back = target.relationship(named: isFromSource ? join.targetRelationship : join.sourceRelationship)
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
        link.add("renamedFrom", earlier: source.renamedFrom)
        switch source.externalLink {
        case nil: break
        case .list(let list):
            link.add("field", list.column)
            link.add("key", list.property.map { fields([$0], of: target) })
        case .table(let table):
            link.add("through", table.name)
            link.add("position", table.position)
            link.add("inversePosition", table.inversePosition)
        }
        guard !join.isSymmetric else { return link.value }
        link.add("inverseDeleteRule", back.deleteRule, unless: .nullify)
        link.add("inverseOptional", back.isOptional, unless: true)
        link.add("inverseOrdered", back.isOrdered, unless: false)
        link.add("inverseMinimumCount", back.minimumCount == 0 ? nil : back.minimumCount)
        link.add("inverseMaximumCount", back.maximumCount)
        link.add("inverseRenamedFrom", earlier: back.renamedFrom)
        return link.value
    }
}

extension DeleteRule {
    /// Returns the default delete rule of an inverse relationship: `deny` if the reference is mandatory, otherwise
    /// `nullify`.
    static func ofInverse(isOptional: Bool) -> DeleteRule { isOptional ? .nullify : .deny }
}
