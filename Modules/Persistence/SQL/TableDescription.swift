package import StrataCore

/// A table of a database, which stores the rows of an entity or of a many-to-many relationship.
package struct TableDescription: Sendable, Hashable {
    /// One column.
    package struct Column: Sendable, Hashable {
        package let name: String
        package let type: AttributeType
        package var isNullable = false
        package var isUnique = false
        /// The table whose row identifiers the column stores.
        package var references: String?
    }

    /// An index that is defined separately; keys and unique columns have their own indexes.
    package struct Index: Sendable, Hashable {
        package let name: String
        package let columns: [String]
        /// A Boolean value that indicates whether no two rows may have the same values in the columns.
        package var isUnique = false
    }

    package let name: String
    package let columns: [Column]
    /// The columns whose values identify a row.
    package let primaryKey: [String]
    package let indexes: [Index]
}

extension TableDescription {
    /// The names of the columns that the model's attributes and relationships do not define.
    package enum ColumnName {
        package static let id = "id"
        /// The name of the version column; it begins with `_`, and attribute names do not.
        package static let version = "_version"
        package static let source = "source"
        package static let target = "target"
        package static let sourcePosition = "sourcePosition"
        package static let targetPosition = "targetPosition"
    }

    /// Creates the table of an entity.
    ///
    /// The columns are the identifier, the version, and the entity's columns in their order, with the names of the
    /// model. If the inverse of a reference is ordered, the index of the reference also contains the ordering
    /// attribute. The last of an owner's objects is then found in one step.
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

    /// Returns the indexes over several columns; the indexes of uniqueness constraints are unique.
    ///
    /// Their names contain a period. Names of entities, attributes and relationships contain none, so the names do not
    /// conflict with other tables or indexes.
    private static func indexesOverSeveral(_ entity: EntityDescription) -> [Index] {
        func index(_ columns: [Int], isUnique: Bool) -> Index {
            let names = columns.map { entity.columns[$0].name }
            return Index(name: ([entity.name] + names).joined(separator: "."), columns: names, isUnique: isUnique)
        }
        let unique = entity.uniqueKeys.map(\.columns).filter { $0.count > 1 }
        return unique.map { index($0, isUnique: true) } + entity.indexedKeys.map { index($0, isUnique: false) }
    }

    /// Creates the table of a many-to-many relationship, named after the relationship and the entity that declares it.
    ///
    /// The key finds a source's targets, and the index finds a target's sources. The references do not cascade, because
    /// a save that changes a row's unique values deletes and reinserts the row, and its join rows must remain.
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
