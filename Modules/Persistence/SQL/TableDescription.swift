package import StrataCore

/// A table of a database, which stores the rows of an entity or of a many-to-many relationship.
package struct TableDescription: Sendable, Hashable {
    /// A column of the table.
    package struct Column: Sendable, Hashable {
        package let name: String
        package let type: AttributeType
        package var isNullable = false
        package var isUnique = false
        /// The name of the table whose row identifiers the column contains; `nil` if the column is no reference.
        package var references: String?
    }

    /// An index that a separate statement creates; the database itself creates the indexes of primary keys and unique
    /// columns.
    package struct Index: Sendable, Hashable {
        package let name: String
        package let columns: [String]
        /// A Boolean value that indicates whether the index rejects two rows with the same values in its columns.
        package var isUnique = false
    }

    package let name: String
    package let columns: [Column]
    /// The names of the columns of the primary key.
    package let primaryKey: [String]
    package let indexes: [Index]
}

extension TableDescription {
    /// The names of the columns that exist in addition to those of the model's attributes and relationships.
    package enum ColumnName {
        package static let id = "id"
        /// The name of the column that contains a row's version; it begins with `_`, which no attribute name does.
        package static let version = "_version"
        package static let source = "source"
        package static let target = "target"
        package static let sourcePosition = "sourcePosition"
        package static let targetPosition = "targetPosition"
    }

    /// Creates the description of an entity's table.
    ///
    /// The columns are the identifier, the version, and the entity's own columns with their names in the model. If the
    /// inverse of a reference is an ordered relationship, the index of the reference column also contains the attribute
    /// of the order. The last of an owner's objects is then found in one step.
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

    /// Returns the indexes that contain several columns each; an index is unique if it enforces a uniqueness
    /// constraint.
    ///
    /// The names of the indexes contain a period. Names of entities, attributes and relationships contain no period, so
    /// the names of indexes differ from those of all tables.
    private static func indexesOverSeveral(_ entity: EntityDescription) -> [Index] {
        func index(_ columns: [Int], isUnique: Bool) -> Index {
            let names = columns.map { entity.columns[$0].name }
            return Index(name: ([entity.name] + names).joined(separator: "."), columns: names, isUnique: isUnique)
        }
        let unique = entity.uniqueKeys.map(\.columns).filter { $0.count > 1 }
        return unique.map { index($0, isUnique: true) } + entity.indexedKeys.map { index($0, isUnique: false) }
    }

    /// Creates the description of a many-to-many relationship's table, which is named after the relationship and the
    /// entity that declares it.
    ///
    /// The primary key finds the targets of a source, and the index finds the sources of a target. The foreign keys do
    /// not delete join rows automatically: if a save changes unique values of a row, it deletes the row and inserts it
    /// again, and the row's join rows must remain.
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
    /// The tables of the model: first those of the entities, then those of the many-to-many relationships.
    package var tables: [TableDescription] {
        entities.map { TableDescription($0, in: self) } + joins.map { TableDescription($0) }
    }
}
