/// How datasets hold the pairs of a many-to-many relationship; said at one of its two sides.
public indirect enum ExternalLink: Sendable, Hashable {
    /// A dataset of its own has a record for each pair.
    case table(ExternalLinkTable)
    /// A column of the entity's own dataset has what each object leads to.
    case list(ExternalList)
}

/// A dataset with a record for each pair of a many-to-many relationship.
public struct ExternalLinkTable: Sendable, Hashable {
    /// What files call the dataset, any text.
    public var name: String
    /// By what a record refers to the object whose relationship it is, and in which columns; no properties stand for its identifier.
    public var owner: ExternalKey
    /// By what a record refers to the object that the relationship leads to, and in which columns; no properties stand for its identifier.
    public var destination: ExternalKey
    /// The column with the destination's place among the owner's, of an ordered relationship.
    public var position: String?
    /// The column with the owner's place among the destination's, where the inverse is ordered.
    public var inversePosition: String?

    /// Describes a dataset of pairs; checked when a model is made.
    public init(
        _ name: String, owner: ExternalKey, destination: ExternalKey, position: String? = nil,
        inversePosition: String? = nil
    ) {
        self.name = name
        self.owner = owner
        self.destination = destination
        self.position = position
        self.inversePosition = inversePosition
    }

    /// The names of its columns, in the order in which they are written.
    public var columns: [String] {
        owner.columns + destination.columns + [position, inversePosition].compactMap { $0 }
    }
}

/// A column with all that a relationship leads to: `red;green`.
///
/// The elements stand in the relationship's order where it has one, and nothing between two of them but the separator: a key that has the separator
/// in it cannot be written.
public struct ExternalList: Sendable, Hashable {
    /// What files call the column.
    public var column: String
    /// What stands between two elements; not empty.
    public var separator: String
    /// The property by which the elements refer, unique in the destination; `nil` is the identifier.
    public var property: String?

    /// Describes a column; checked when a model is made.
    public init(column: String, separator: String = ",", property: String? = nil) {
        self.column = column
        self.separator = separator
        self.property = property
    }
}
