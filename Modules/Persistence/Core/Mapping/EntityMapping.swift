/// How the rows of an entity come from those of an earlier model.
public struct EntityMapping: Sendable {
    /// The entity in the later model.
    public let entity: EntityDescription
    /// The entity in the earlier model; `nil` where there was none.
    public let source: EntityDescription?
    /// Where each column's values come from, in the order of the later entity's columns.
    public let columns: [ColumnMapping]
    /// The place of the earlier attribute that becomes the identifier of rows; `nil` if rows keep their identifiers.
    package let identifier: Int?
    /// The names of attributes and relationships in the earlier model, by those in the later one.
    package let properties: [String: String]

    /// Whether the entity is new.
    public var isNew: Bool { source == nil }

    /// The earlier column that a column is a copy of.
    package func source(of column: Int) -> ColumnDescription? {
        guard let source, case .copied(let index) = columns[column] else { return nil }
        return source.columns[index]
    }

    /// The name of the column of files with the identifiers, if neither the later identifiers nor an attribute keep
    /// them.
    package var removedIdentifier: String? {
        guard let name = source?.external.idColumn, entity.external.idColumn == nil || identifier != nil else {
            return nil
        }
        let isKept = entity.shownColumns.contains { columns[$0] == .identifier }
        return isKept ? nil : name
    }

    /// Returns the later values of a column by the earlier ones, without those that the earlier model declares too.
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

    /// Returns how the values of a column are converted; `nil` if it is neither a copy nor the identifier, or if no
    /// rule converts its type.
    package func conversion(of column: Int) -> ValueConversion? {
        let type = entity.columns[column].type
        if case .identifier = columns[column] { return ValueConversion(from: .integer64, to: type) }
        return source(of: column).flatMap { ValueConversion(from: $0.type, to: type) }
    }
}

/// Where the values of a column come from.
public enum ColumnMapping: Sendable, Hashable {
    /// From a column of the earlier entity, by its place; converted where the types differ.
    case copied(Int)
    /// From nowhere: the attribute's default, or null.
    case added
    /// From the column of another earlier entity that refers to this one's rows: a relationship that is one-to-one now and kept at its other side.
    case reversed(entity: String, column: Int)
    /// From the identifier of the row, which was a column of files; converted if the types differ.
    case identifier
    /// From columns with the key of a row of another earlier entity, which the relationship refers to.
    ///
    /// `key` has the places of the key's columns in the other entity, in the order of `columns`; it is empty for the
    /// identifier.
    case lookedUp(columns: [Int], entity: String, key: [Int])
    /// From the row of another earlier entity to which a column refers: one value of its key, or its identifier if
    /// `key` is `nil`.
    case keyValue(column: Int, entity: String, key: Int?)
}

extension ColumnMapping {
    /// The columns of the earlier entity of which a later one takes the values.
    package var usedColumns: [Int] {
        switch self {
        case .copied(let column), .keyValue(let column, _, _): [column]
        case .lookedUp(let columns, _, _): columns
        case .added, .reversed, .identifier: []
        }
    }
}

/// Where the pairs of a many-to-many relationship come from.
package struct JoinMapping: Sendable {
    package enum Source: Sendable {
        /// From nowhere.
        case none
        /// From an earlier join table; `isSwapped` where what was its source is the target.
        case join(JoinDescription, isSwapped: Bool)
        /// From references of an earlier entity's rows; `ownsSource` where the row that has the reference is the pair's source.
        case reference(entity: EntityDescription, column: Int, ownsSource: Bool, position: Int?)
    }

    package let join: JoinDescription
    package let source: Source
}
