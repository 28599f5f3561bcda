import StrataCore

/// A search for the origin of a later model's columns and join rows in an earlier model.
///
/// It first maps all columns of all later entities, then all join tables. Each use of an earlier column is recorded, so
/// that the columns that no later column or join table uses are those whose data the migration removes. The finder
/// reads models only, and no rows.
struct MappingFinder {
    let source: ManagedObjectModel
    let destination: ManagedObjectModel
    /// The earlier names of entities, by their later names.
    let entityNames: [String: String]

    private(set) var entities: [EntityMapping] = []
    private(set) var joins: [JoinMapping] = []
    private(set) var obstacles: [(entity: String, message: String)] = []
    /// The names of the earlier join tables whose join rows are used in the later model.
    private(set) var usedJoins: Set<String> = []
    private(set) var removedColumns: [String: [Int]] = [:]

    /// A column of an earlier entity, identified by the entity and the column's index.
    private struct Place: Hashable {
        let entity: String
        let column: Int
    }

    private var usedColumns: Set<Place> = []

    init(source: ManagedObjectModel, destination: ManagedObjectModel, entityNames: [String: String]) {
        (self.source, self.destination, self.entityNames) = (source, destination, entityNames)
    }

    /// Finds all mappings and the removed columns; call the method once.
    ///
    /// The order matters: join tables use the names of properties that the mappings of entities have found.
    mutating func run() {
        for entity in destination.entities { entities.append(mapping(of: entity)) }
        for join in destination.joins { joins.append(JoinMapping(join: join, source: pairs(of: join))) }
        for entity in source.entities where entityNames.values.contains(entity.name) {
            let left = entity.columns.indices.filter { !usedColumns.contains(Place(entity: entity.name, column: $0)) }
            if !left.isEmpty { removedColumns[entity.name] = left }
        }
    }

    /// Returns the earlier entity that corresponds to a later one; `nil` if there is none.
    private func earlier(_ entity: String) -> EntityDescription? { entityNames[entity].flatMap { source[$0] } }

    // MARK: Rows

    /// Returns the mapping of a later entity; an entity without an earlier one has no columns to map.
    ///
    /// A column that does not correspond by its name may still have an origin in the keys of files: an attribute that
    /// was an identifier or a part of a reference, or a reference that was an attribute.
    private mutating func mapping(of entity: EntityDescription) -> EntityMapping {
        guard let old = earlier(entity.name) else {
            return EntityMapping(entity: entity, source: nil, columns: [], identifier: nil, properties: [:])
        }
        let attributes = NameMatch.pairs(
            of: entity.attributes.map { ($0.name, $0.renamedFrom) }, among: old.attributes.map(\.name))
        let relationships = NameMatch.pairs(
            of: entity.relationships.map { ($0.name, $0.renamedFrom) }, among: old.relationships.map(\.name))
        let columns = entity.columns.map { column -> ColumnMapping in
            if column.isHidden { return position(of: old) }
            guard column.destination != nil else {
                let found = copied(attributes[column.name], of: old, to: column, of: entity)
                return found == .added ? fromKeys(column, of: entity, old, relationships) : found
            }
            let found = reference(relationships[column.name], of: old, to: column)
            return found == .added ? lookedUp(column, of: old, attributes) : found
        }
        return EntityMapping(
            entity: entity, source: old, columns: columns, identifier: identifier(of: entity, old, attributes),
            properties: attributes.merging(relationships) { first, _ in first })
    }

    /// Returns the origin of the row positions of an entity: the earlier positions, or the order of the identifiers.
    private mutating func position(of old: EntityDescription) -> ColumnMapping {
        guard let position = old.positionColumn else { return .identifier }
        usedColumns.insert(Place(entity: old.name, column: position))
        return .copied(position)
    }

    /// Returns the origin of an attribute that corresponds to an earlier attribute, and records an obstacle if no rule
    /// converts its values.
    private mutating func copied(
        _ name: String?, of old: EntityDescription, to column: ColumnDescription, of entity: EntityDescription
    ) -> ColumnMapping {
        guard let name, let index = old.columnIndex(name) else { return .added }
        usedColumns.insert(Place(entity: old.name, column: index))
        let type = old.columns[index].type
        if ValueConversion(from: type, to: column.type) == nil {
            obstacles.append(
                (
                    entity.name,
                    "\(entity.name).\(column.name) has the type \(type) in the store and \(column.type) in the model, "
                        + "and no rule converts the values; convert them in a stage of a migration plan, or give the "
                        + "new attribute another name"
                ))
        }
        return .copied(index)
    }

    /// Returns the origin of the values of a reference column.
    ///
    /// It is the reference's own earlier column. If the relationship is one-to-one in the later model, it may be the
    /// earlier column of the inverse.
    private mutating func reference(
        _ name: String?, of old: EntityDescription, to column: ColumnDescription
    ) -> ColumnMapping {
        guard let name, let before = old.relationship(named: name), before.destination == target(of: column) else {
            return .added
        }
        if let index = old.columnIndex(name) {
            usedColumns.insert(Place(entity: old.name, column: index))
            return .copied(index)
        }
        // No rule chooses one of several rows. A one-to-one relationship declares that there is only one, and the
        // migration check verifies it in the rows.
        guard before.cardinality == .toOne || column.isUnique, let inverse = before.inverse,
            let other = source[before.destination],
            let index = other.columnIndex(inverse)
        else { return .added }
        usedColumns.insert(Place(entity: other.name, column: index))
        return .reversed(entity: other.name, column: index)
    }

    // MARK: Keys

    /// Returns the index of the earlier attribute that becomes the identifier, found by the name of its column in
    /// files.
    ///
    /// The result is `nil` if rows keep their identifiers.
    private mutating func identifier(
        of entity: EntityDescription, _ old: EntityDescription, _ attributes: [String: String]
    ) -> Int? {
        guard let name = entity.external.idColumn, name != old.external.idColumn else { return nil }
        let kept = Set(attributes.values)
        let place = old.shownColumns.first { place in
            let column = old.columns[place]
            return column.attribute != nil && column.externalName == name && column.type.integerRange != nil
                && !kept.contains(column.name)
        }
        if let place { usedColumns.insert(Place(entity: old.name, column: place)) }
        return place
    }

    /// Returns the origin of a new attribute, found by the name of its column in files.
    ///
    /// The origin is the earlier identifier, or a value in the key of an earlier reference.
    private mutating func fromKeys(
        _ column: ColumnDescription, of entity: EntityDescription, _ old: EntityDescription,
        _ relationships: [String: String]
    ) -> ColumnMapping {
        let names = [column.externalName] + (column.attribute?.renamedFrom ?? [])
        if let id = old.external.idColumn, names.contains(id), entity.external.idColumn != id,
            ValueConversion(from: .integer64, to: column.type) != nil
        {
            return .identifier
        }
        let kept = Set(relationships.values)
        for external in source.externalColumns(of: old) where names.contains(external.name) {
            switch external.content {
            case .column(let place):
                let before = old.columns[place]
                guard let target = before.destination, !kept.contains(before.name), column.type == .integer64 else {
                    continue
                }
                usedColumns.insert(Place(entity: old.name, column: place))
                return .keyValue(column: place, entity: target, key: nil)
            case .key(let place, let value):
                let before = old.columns[place]
                guard let target = before.destination, !kept.contains(before.name), external.type == column.type,
                    let values = source.referenceKey(ofColumn: place, in: old)?.values, values[value].path.count == 1,
                    let key = source[target]?.columnIndex(values[value].path[0]),
                    keepsWholeKey(of: before, values, in: entity)
                else { continue }
                usedColumns.insert(Place(entity: old.name, column: place))
                return .keyValue(column: place, entity: target, key: key)
            case .identifier, .list: continue
            }
        }
        return .added
    }

    /// Returns a Boolean value that indicates whether the later entity keeps all columns that a reference has in files.
    ///
    /// Each of these columns must become an attribute of the same type. Otherwise a part of the reference's key would
    /// be lost; the migration then removes the whole reference, which the caller must permit by its name.
    private func keepsWholeKey(
        of reference: ColumnDescription, _ values: [ReferenceKey.Value], in entity: EntityDescription
    ) -> Bool {
        zip(reference.externalKey?.columns ?? [], values).allSatisfy { name, value in
            entity.columns.contains { column in
                guard let attribute = column.attribute, !column.isHidden, column.type == value.type else {
                    return false
                }
                return column.externalName == name || attribute.renamedFrom.contains(name)
            }
        }
    }

    /// Returns the origin of a new reference: the earlier attributes with its target's key, found by their column names
    /// in files.
    private mutating func lookedUp(
        _ column: ColumnDescription, of old: EntityDescription, _ attributes: [String: String]
    ) -> ColumnMapping {
        guard let target = target(of: column), let other = source[target],
            let later = column.destination.flatMap({ destination[$0] })
        else { return .added }
        let kept = Set(attributes.values)
        func place(_ name: String, in entity: EntityDescription) -> Int? {
            entity.columns.indices.first {
                entity.columns[$0].attribute != nil && entity.columns[$0].externalName == name
            }
        }
        let names = column.externalKey?.columns ?? [column.externalName]
        let columns = names.compactMap { place($0, in: old) }.filter { !kept.contains(old.columns[$0].name) }
        guard columns.count == names.count else { return .added }
        var key: [Int] = []
        if let properties = column.externalKey?.properties {
            key = properties.compactMap { property in
                later.columnIndex(property).flatMap { place(later.columns[$0].externalName, in: other) }
            }
            let isKey = other.uniqueKeys.contains { $0.columns.sorted() == key.sorted() }
            guard key.count == columns.count, isKey,
                zip(columns, key).allSatisfy({ old.columns[$0].type == other.columns[$1].type })
            else { return .added }
        } else if other.external.idColumn == nil || old.columns[columns[0]].type.integerRange == nil {
            return .added
        }
        for column in columns { usedColumns.insert(Place(entity: old.name, column: column)) }
        return .lookedUp(columns: columns, entity: other.name, key: key)
    }

    /// Returns the earlier name of the entity that a reference column references.
    private func target(of column: ColumnDescription) -> String? { column.destination.flatMap { entityNames[$0] } }

    // MARK: Join rows

    /// Returns the origin of a join table's rows: the earlier relationship at either end.
    private mutating func pairs(of join: JoinDescription) -> JoinMapping.Source {
        let ends = [
            (join.sourceEntity, join.sourceRelationship, join.targetEntity, true),
            (join.targetEntity, join.targetRelationship, join.sourceEntity, false),
        ]
        for (entity, relationship, other, isSource) in ends {
            guard let old = earlier(entity),
                let name = self.entities.first(where: { $0.entity.name == entity })?.properties[relationship],
                let before = old.relationship(named: name), before.destination == entityNames[other]
            else { continue }
            if let found = pairs(of: before, in: old, join, isSource: isSource) { return found }
        }
        return .none
    }

    private mutating func pairs(
        of before: RelationshipDescription, in old: EntityDescription, _ later: JoinDescription, isSource: Bool
    ) -> JoinMapping.Source? {
        if let (join, wasSource) = source.join(of: before.name, in: old.name) {
            usedJoins.insert(join.name)
            return .join(join, isSwapped: wasSource != isSource && !join.isSymmetric)
        }
        let isOrdered = later.isSourceOrdered || later.isTargetOrdered
        if let index = old.columnIndex(before.name) {
            usedColumns.insert(Place(entity: old.name, column: index))
            let list = before.inverse.flatMap { source[before.destination]?.relationship(named: $0) }
            return .reference(
                entity: old, column: index, ownsSource: isSource,
                position: isOrdered ? position(list?.orderingAttribute, in: old) : nil)
        }
        guard let inverse = before.inverse, let other = source[before.destination],
            let index = other.columnIndex(inverse)
        else { return nil }
        usedColumns.insert(Place(entity: other.name, column: index))
        // The row that has the reference is one of the rows that this end refers to.
        return .reference(
            entity: other, column: index, ownsSource: !isSource,
            position: isOrdered ? position(before.orderingAttribute, in: other) : nil)
    }

    /// Returns the index of the earlier column with the positions of an order, and marks the column as used.
    private mutating func position(_ attribute: String?, in entity: EntityDescription) -> Int? {
        guard let index = attribute.flatMap(entity.columnIndex) else { return nil }
        usedColumns.insert(Place(entity: entity.name, column: index))
        return index
    }
}
