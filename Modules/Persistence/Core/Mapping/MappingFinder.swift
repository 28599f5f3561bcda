/// Finds where columns and pairs of a later model come from.
struct MappingFinder {
    let source: ManagedObjectModel
    let destination: ManagedObjectModel
    /// The earlier names of entities, by the later ones.
    let entityNames: [String: String]

    private(set) var entities: [EntityMapping] = []
    private(set) var joins: [JoinMapping] = []
    private(set) var obstacles: [(entity: String, message: String)] = []
    /// The join tables from which pairs or references come.
    private(set) var usedJoins: Set<String> = []
    private(set) var removedColumns: [String: [Int]] = [:]

    /// A column of an earlier entity.
    private struct Place: Hashable {
        let entity: String
        let column: Int
    }

    private var usedColumns: Set<Place> = []

    init(source: ManagedObjectModel, destination: ManagedObjectModel, entityNames: [String: String]) {
        (self.source, self.destination, self.entityNames) = (source, destination, entityNames)
    }

    mutating func run() {
        for entity in destination.entities { entities.append(mapping(of: entity)) }
        for join in destination.joins { joins.append(JoinMapping(join: join, source: pairs(of: join))) }
        for entity in source.entities where entityNames.values.contains(entity.name) {
            let left = entity.columns.indices.filter { !usedColumns.contains(Place(entity: entity.name, column: $0)) }
            if !left.isEmpty { removedColumns[entity.name] = left }
        }
    }

    private func earlier(_ entity: String) -> EntityDescription? { entityNames[entity].flatMap { source[$0] } }

    // MARK: Rows

    private mutating func mapping(of entity: EntityDescription) -> EntityMapping {
        guard let old = earlier(entity.name) else {
            return EntityMapping(entity: entity, source: nil, columns: [], properties: [:])
        }
        let attributes = NameMatch.pairs(
            of: entity.attributes.map { ($0.name, $0.renamedFrom) }, among: old.attributes.map(\.name))
        let relationships = NameMatch.pairs(
            of: entity.relationships.map { ($0.name, $0.renamedFrom) }, among: old.relationships.map(\.name))
        let columns = entity.columns.map { column -> ColumnMapping in
            guard column.attribute == nil else {
                return copied(attributes[column.name], of: old, to: column, of: entity)
            }
            return reference(relationships[column.name], of: old, to: column)
        }
        return EntityMapping(
            entity: entity, source: old, columns: columns,
            properties: attributes.merging(relationships) { first, _ in first })
    }

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
                    "\(entity.name).\(column.name) is of the type \(type) in the store and of \(column.type) in the model: no rule makes one of the "
                        + "other; a stage of a migration plan can, or another name for the new attribute"
                ))
        }
        return .copied(index)
    }

    /// Where a reference comes from: its own column, or that of the other side of a relationship that is one-to-one now.
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
        // Which of several it leads to now no rule knows; one-to-one says that there are none, and the check asks the rows.
        guard before.cardinality == .toOne || column.isUnique, let inverse = before.inverse,
            let other = source[before.destination],
            let index = other.columnIndex(inverse)
        else { return .added }
        usedColumns.insert(Place(entity: other.name, column: index))
        return .reversed(entity: other.name, column: index)
    }

    /// The earlier name of the entity that a reference leads to.
    private func target(of column: ColumnDescription) -> String? { column.destination.flatMap { entityNames[$0] } }

    // MARK: Pairs

    /// Where pairs come from: what either end was.
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
        // The row that has the reference is one of those that this end leads to.
        return .reference(
            entity: other, column: index, ownsSource: !isSource,
            position: isOrdered ? position(before.orderingAttribute, in: other) : nil)
    }

    /// The column that positions come from, which by that are kept.
    private mutating func position(_ attribute: String?, in entity: EntityDescription) -> Int? {
        guard let index = attribute.flatMap(entity.columnIndex) else { return nil }
        usedColumns.insert(Place(entity: entity.name, column: index))
        return index
    }
}
