/// The representation of a many-to-many relationship's join rows in datasets, declared at one side.
public indirect enum ExternalLink: Sendable, Hashable {
    /// A separate dataset contains one record for each join row.
    case table(ExternalLinkTable)
    /// A column of the entity's dataset lists the targets of each object.
    case list(ExternalList)
}

/// A dataset with one record for each join row of a many-to-many relationship.
public struct ExternalLinkTable: Sendable, Hashable {
    /// The name of the dataset in files, which may be any text.
    public var name: String
    /// The key and columns that identify the relationship's owner in a record.
    ///
    /// A key without properties is the identifier.
    public var owner: ExternalKey
    /// The key and columns that identify the relationship's target in a record.
    ///
    /// A key without properties is the identifier.
    public var destination: ExternalKey
    /// The column with the target's position among the owner's targets, for an ordered relationship.
    public var position: String?
    /// The column with the owner's position among the target's owners, for an ordered inverse.
    public var inversePosition: String?

    /// Creates the description of a dataset of join rows; the model validates it.
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

    /// The names of the columns, in the order in which they are written.
    public var columns: [String] {
        owner.columns + destination.columns + [position, inversePosition].compactMap { $0 }
    }
}

/// A column that lists all targets of a relationship: `red;green`.
///
/// The elements have the relationship's order if it is ordered. Only the separator is written between two elements. A
/// key that contains the separator therefore cannot be written.
public struct ExternalList: Sendable, Hashable {
    /// The name of the column in files.
    public var column: String
    /// The separator between two elements; it must not be empty.
    public var separator: String
    /// The unique property of the destination that identifies an element; `nil` for the identifier.
    public var property: String?

    /// Creates the description of a column; the model validates it.
    public init(column: String, separator: String = ",", property: String? = nil) {
        self.column = column
        self.separator = separator
        self.property = property
    }
}
