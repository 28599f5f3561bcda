public import StrataCore

/// The mapping of one entity's rows from an earlier model to a later model.
public struct EntityMapping: Sendable {
    /// The entity in the later model.
    public let entity: EntityDescription
    /// The entity in the earlier model; `nil` if the entity is new.
    public let source: EntityDescription?
    /// The origin of each column's values, in the order of the later entity's columns.
    public let columns: [ColumnMapping]
    /// The index of the earlier entity's attribute whose values become identifiers; `nil` if rows keep their
    /// identifiers.
    package let identifier: Int?
    /// The earlier names of attributes and relationships, by their later names.
    package let properties: [String: String]

    /// A Boolean value that indicates whether the earlier model does not have the entity.
    public var isNew: Bool { source == nil }

    /// Returns the earlier entity's column that a later column copies; `nil` if the later column is not a copy.
    package func source(of column: Int) -> ColumnDescription? {
        guard let source, case .copied(let index) = columns[column] else { return nil }
        return source.columns[index]
    }

    /// The earlier name of the identifier column in files, if the later entity keeps its values neither as its
    /// identifier nor as an attribute; otherwise `nil`.
    package var removedIdentifier: String? {
        guard let name = source?.external.idColumn, entity.external.idColumn == nil || identifier != nil else {
            return nil
        }
        let isKept = entity.shownColumns.contains { columns[$0] == .identifier }
        return isKept ? nil : name
    }

    /// Returns the renamed values of a column: each later value, by the earlier value that it replaces.
    ///
    /// Earlier values that the earlier model itself already renames are omitted.
    package func renamedValues(ofColumn index: Int) -> [StoredValue: StoredValue] {
        let column = entity.columns[index]
        guard let attribute = column.attribute, let before = source(of: index) else { return [:] }
        let known = before.attribute?.renamedValues ?? []
        return attribute.renamedValues.reduce(into: [:]) { values, renamed in
            guard !known.contains(renamed) else { return }
            values[renamed.from.converted(to: column.type) ?? renamed.from] =
                renamed.to.converted(to: column.type) ?? renamed.to
        }
    }

    /// Returns the conversion of a column's values from the earlier type to the later type.
    ///
    /// The result is `nil` if the column is neither a copy nor the identifier, or if no rule converts between both
    /// types.
    package func conversion(of column: Int) -> ValueConversion? {
        let type = entity.columns[column].type
        if case .identifier = columns[column] { return ValueConversion(from: .integer64, to: type) }
        return source(of: column).flatMap { ValueConversion(from: $0.type, to: type) }
    }
}

/// The origin of a later column's values in the earlier model.
public enum ColumnMapping: Sendable, Hashable {
    /// The values of the earlier entity's column at this index, converted if the types differ.
    case copied(Int)
    /// No earlier values: each row gets the attribute's default, or null.
    case added
    /// The references from another earlier entity to the rows of this entity.
    ///
    /// The relationship is one-to-one in the later model, and the earlier model stored its references in the other
    /// entity's column at this index.
    case reversed(entity: String, column: Int)
    /// The identifiers of the rows, converted if the types differ; they were a column in files.
    case identifier
    /// The identifiers of rows of another earlier entity, found by the values in `columns`.
    ///
    /// `key` has the indexes of the other entity's columns with the same values, in the order of `columns`. It is empty
    /// if the values are identifiers.
    case lookedUp(columns: [Int], entity: String, key: [Int])
    /// A value of the row of another earlier entity that `column` references.
    ///
    /// `key` is the index of the other entity's column with the value. If it is `nil`, the value is the row's
    /// identifier.
    case keyValue(column: Int, entity: String, key: Int?)
}

extension ColumnMapping {
    /// The indexes of the earlier entity's columns whose values a later column uses.
    package var usedColumns: [Int] {
        switch self {
        case .copied(let column), .keyValue(let column, _, _): [column]
        case .lookedUp(let columns, _, _): columns
        case .added, .reversed, .identifier: []
        }
    }
}

/// The origin of the join rows of a later many-to-many relationship.
package struct JoinMapping: Sendable {
    package enum Source: Sendable {
        /// No earlier join rows: the later relationship is empty.
        case none
        /// The join rows of an earlier join table; `isSwapped` is `true` if its source is the later target.
        case join(JoinDescription, isSwapped: Bool)
        /// The references in a column of an earlier entity's rows: each becomes a join row.
        ///
        /// `ownsSource` is `true` if the row with the reference becomes the source of the join row.
        case reference(entity: EntityDescription, column: Int, ownsSource: Bool, position: Int?)
    }

    package let join: JoinDescription
    package let source: Source
}
