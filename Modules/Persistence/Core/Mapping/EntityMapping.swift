/// How the rows of an entity come from those of an earlier model.
public struct EntityMapping: Sendable {
    /// The entity in the later model.
    public let entity: EntityDescription
    /// The entity in the earlier model; `nil` where there was none.
    public let source: EntityDescription?
    /// Where each column's values come from, in the order of the later entity's columns.
    public let columns: [ColumnMapping]
    /// The names of attributes and relationships in the earlier model, by those in the later one.
    package let properties: [String: String]

    /// Whether the entity is new.
    public var isNew: Bool { source == nil }

    /// The earlier column that a column is a copy of.
    package func source(of column: Int) -> ColumnDescription? {
        guard let source, case .copied(let index) = columns[column] else { return nil }
        return source.columns[index]
    }

    /// How a column's values are converted; `nil` where it is no copy, and where no rule says how.
    package func conversion(of column: Int) -> ValueConversion? {
        source(of: column).flatMap { ValueConversion(from: $0.type, to: entity.columns[column].type) }
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
