/// The representation of the join rows of a many-to-many relationship in datasets, declared at one of its sides.
public indirect enum ExternalLink: Sendable, Hashable {
    /// A separate dataset with one record for each join row.
    case table(ExternalLinkTable)
    /// A column of the entity's dataset that lists the targets of each row.
    case list(ExternalList)
}

/// A dataset with one record for each join row of a many-to-many relationship.
public struct ExternalLinkTable: Sendable, Hashable {
    /// The name of the dataset in files, which may be any text.
    public var name: String
    /// The key that identifies the source row of the relationship in a record, with the names of its columns.
    ///
    /// A key without properties is the row's identifier.
    public var owner: ExternalKey
    /// The key that identifies the target row of the relationship in a record, with the names of its columns.
    ///
    /// A key without properties is the row's identifier.
    public var destination: ExternalKey
    /// The name of the column with the target's position among the owner's targets; `nil` if the relationship is
    /// unordered.
    public var position: String?
    /// The name of the column with the owner's position among the target's owners; `nil` if the inverse is unordered.
    public var inversePosition: String?

    /// Creates the description of a dataset of join rows; its names are validated when a model is created.
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

    /// The names of the dataset's columns, in the order in which they are written.
    public var columns: [String] {
        owner.columns + destination.columns + [position, inversePosition].compactMap { $0 }
    }
}

/// A dataset column that lists all targets of a many-to-many relationship: `red;green`.
///
/// If the relationship is ordered, the elements are in its order. Only the separator is between two elements, so a key
/// that contains the separator cannot be written.
public struct ExternalList: Sendable, Hashable {
    /// The name of the list column in the dataset.
    public var column: String
    /// The separator between two elements of the list; it must not be empty.
    public var separator: String
    /// The name of the destination's unique property that identifies a target in the list; `nil` for the identifier.
    public var property: String?

    /// Creates the description of a list column; its names are validated when a model is created.
    public init(column: String, separator: String = ",", property: String? = nil) {
        self.column = column
        self.separator = separator
        self.property = property
    }
}
