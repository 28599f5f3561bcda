/// The mapping of the rows of an entity from those of an earlier model.
public struct EntityMapping: Sendable {
    /// The entity in the later model.
    public let entity: EntityDescription
    /// The entity in the earlier model; `nil` if the entity is new.
    public let source: EntityDescription?
    /// The origin of each column's values, in the order of the later entity's columns.
    public let columns: [ColumnMapping]
    /// The index of the earlier attribute that becomes the identifier of rows; `nil` if rows keep their identifiers.
    package let identifier: Int?
    /// The names of attributes and relationships in the earlier model, by their names in the later model.
    package let properties: [String: String]

    /// A Boolean value that indicates whether the entity is new.
    public var isNew: Bool { source == nil }

    /// Returns the earlier column that a column copies.
    package func source(of column: Int) -> ColumnDescription? {
        guard let source, case .copied(let index) = columns[column] else { return nil }
        return source.columns[index]
    }

    /// The name of the file column with the identifiers, if the later entity does not keep it.
    ///
    /// The later entity keeps it as its identifier column or as an attribute.
    package var removedIdentifier: String? {
        guard let name = source?.external.idColumn, entity.external.idColumn == nil || identifier != nil else {
            return nil
        }
        let isKept = entity.shownColumns.contains { columns[$0] == .identifier }
        return isKept ? nil : name
    }

    /// Returns the later values of a column by the earlier ones, except those that the earlier model declares too.
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

    /// Returns the conversion of a column's values.
    ///
    /// The result is `nil` if the column is neither a copy nor the identifier, or if no rule converts its type.
    package func conversion(of column: Int) -> ValueConversion? {
        let type = entity.columns[column].type
        if case .identifier = columns[column] { return ValueConversion(from: .integer64, to: type) }
        return source(of: column).flatMap { ValueConversion(from: $0.type, to: type) }
    }
}

/// The origin of the values of a column.
public enum ColumnMapping: Sendable, Hashable {
    /// The column of the earlier entity at an index, converted if the types differ.
    case copied(Int)
    /// No origin: the attribute's default, or null.
    case added
    /// The column of another earlier entity that refers to rows of this one.
    ///
    /// The relationship is one-to-one in the later model, and the earlier model stored it on its other side.
    case reversed(entity: String, column: Int)
    /// The identifier of the row, which was a file column; converted if the types differ.
    case identifier
    /// The columns with the key of a row of another earlier entity, to which the relationship refers.
    ///
    /// `key` has the indexes of the key's columns in the other entity, in the order of `columns`; it is empty for the
    /// identifier.
    case lookedUp(columns: [Int], entity: String, key: [Int])
    /// The row of another earlier entity to which a column refers.
    ///
    /// The value is one value of the row's key, or its identifier if `key` is `nil`.
    case keyValue(column: Int, entity: String, key: Int?)
}

extension ColumnMapping {
    /// The columns of the earlier entity whose values a later column uses.
    package var usedColumns: [Int] {
        switch self {
        case .copied(let column), .keyValue(let column, _, _): [column]
        case .lookedUp(let columns, _, _): columns
        case .added, .reversed, .identifier: []
        }
    }
}

/// The origin of the join rows of a many-to-many relationship.
package struct JoinMapping: Sendable {
    package enum Source: Sendable {
        /// No origin.
        case none
        /// The rows of an earlier join table; `isSwapped` if its source is now the target.
        case join(JoinDescription, isSwapped: Bool)
        /// The references of an earlier entity's rows.
        ///
        /// `ownsSource` is `true` if the row that has the reference is the source of the join row.
        case reference(entity: EntityDescription, column: Int, ownsSource: Bool, position: Int?)
    }

    package let join: JoinDescription
    package let source: Source
}
