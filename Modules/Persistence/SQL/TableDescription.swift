package import StrataCore

/// A table as a database keeps it: beside an entity, which is what a program sees of it, and a many-to-many relationship.
package struct TableDescription: Sendable, Hashable {
    /// One column.
    package struct Column: Sendable, Hashable {
        package let name: String
        package let type: AttributeType
        package var isNullable = false
        package var isUnique = false
        /// The table whose rows' identifiers it holds.
        package var references: String?
    }

    /// An index of its own; keys and unique columns have theirs.
    package struct Index: Sendable, Hashable {
        package let name: String
        package let columns: [String]
    }

    package let name: String
    package let columns: [Column]
    /// The columns whose values tell rows apart.
    package let primaryKey: [String]
    package let indexes: [Index]
}

extension TableDescription {
    /// The names that columns have beside those of the model's attributes and relationships.
    package enum ColumnName {
        package static let id = "id"
        /// Begins with `_`, which no attribute's name does.
        package static let version = "_version"
        package static let source = "source"
        package static let target = "target"
        package static let sourcePosition = "sourcePosition"
        package static let targetPosition = "targetPosition"
    }

    /// The table of an entity: identifier, version, and the entity's columns in their order, called what the model calls them.
    ///
    /// The index of a reference whose inverse is ordered has the ordering attribute too: the last of an owner's objects is then one step away.
    package init(_ entity: EntityDescription, in model: ManagedObjectModel) {
        let sortKeys = Dictionary(
            entity.orderedReferences(in: model).map { ($0.column, entity.columns[$0.sortKey].name) },
            uniquingKeysWith: { first, _ in first })
        name = entity.name
        columns =
            [Column(name: ColumnName.id, type: .integer64), Column(name: ColumnName.version, type: .integer64)]
            + entity.columns.map { column in
                Column(
                    name: column.name, type: column.type, isNullable: column.isOptional, isUnique: column.isUnique,
                    references: column.destination)
            }
        primaryKey = [ColumnName.id]
        indexes = entity.columns.indices.filter { entity.columns[$0].isIndexed && !entity.columns[$0].isUnique }.map {
            let column = entity.columns[$0].name
            return Index(name: "\(entity.name)_\(column)", columns: [column] + (sortKeys[$0].map { [$0] } ?? []))
        }
    }

    /// The table of a many-to-many relationship, named as the relationship and the entity that declares it.
    ///
    /// The key finds a source's targets, the index a target's sources. The references do not cascade: a save that changes a row's unique
    /// values takes the row out and puts it back, and its pairs must stay.
    package init(_ join: JoinDescription) {
        name = join.name
        let positions =
            (join.isSourceOrdered ? [ColumnName.sourcePosition] : [])
            + (join.isTargetOrdered ? [ColumnName.targetPosition] : [])
        columns =
            [
                Column(name: ColumnName.source, type: .integer64, references: join.sourceEntity),
                Column(name: ColumnName.target, type: .integer64, references: join.targetEntity),
            ] + positions.map { Column(name: $0, type: .integer64, isNullable: true) }
        primaryKey = [ColumnName.source, ColumnName.target]
        indexes = [Index(name: join.targetIndexName, columns: [ColumnName.target])]
    }
}

extension ManagedObjectModel {
    /// The tables of the model's entities and many-to-many relationships, in their order.
    package var tables: [TableDescription] {
        entities.map { TableDescription($0, in: self) } + joins.map { TableDescription($0) }
    }
}
