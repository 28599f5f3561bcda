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
        /// Whether no two rows have the same values in the columns.
        package var isUnique = false
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
        indexes =
            entity.columns.indices.filter { entity.columns[$0].isIndexed && !entity.columns[$0].isUnique }.map {
                let column = entity.columns[$0].name
                return Index(name: "\(entity.name)_\(column)", columns: [column] + (sortKeys[$0].map { [$0] } ?? []))
            } + Self.indexesOverSeveral(entity)
    }

    /// The indexes over several columns, of which those of uniqueness constraints are unique.
    ///
    /// Their names have a point, which no entity's, attribute's or relationship's has: they meet no other table's or index's.
    private static func indexesOverSeveral(_ entity: EntityDescription) -> [Index] {
        func index(_ columns: [Int], isUnique: Bool) -> Index {
            let names = columns.map { entity.columns[$0].name }
            return Index(name: ([entity.name] + names).joined(separator: "."), columns: names, isUnique: isUnique)
        }
        let unique = entity.uniqueKeys.map(\.columns).filter { $0.count > 1 }
        return unique.map { index($0, isUnique: true) } + entity.indexedKeys.map { index($0, isUnique: false) }
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
