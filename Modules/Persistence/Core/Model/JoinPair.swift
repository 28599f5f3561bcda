/// The two identifiers of a join row of a many-to-many relationship.
public struct JoinPair: Sendable, Hashable {
    /// The identifier on the source side.
    public var source: Int64
    /// The identifier on the target side.
    public var target: Int64

    /// Creates a pair.
    public init(source: Int64, target: Int64) {
        self.source = source
        self.target = target
    }
}

/// A join row: a pair of identifiers and its positions.
public struct JoinRow: Sendable, Hashable {
    /// The pair of identifiers.
    public var pair: JoinPair
    /// The target's position among the source's targets; `nil` if the relationship is not ordered.
    public var sourcePosition: Int64?
    /// The source's position among the target's sources; `nil` if the relationship is not ordered.
    public var targetPosition: Int64?

    /// Creates a join row.
    public init(_ pair: JoinPair, sourcePosition: Int64? = nil, targetPosition: Int64? = nil) {
        self.pair = pair
        self.sourcePosition = sourcePosition
        self.targetPosition = targetPosition
    }
}

/// The changes of one save to one many-to-many relationship.
///
/// Join rows are removed before any are added. For a symmetric relationship either order of the identifiers is valid.
public struct JoinChanges: Sendable {
    /// Join rows to delete; a missing one is not an error.
    public var removed: [JoinPair] = []
    /// Join rows to insert; an existing one receives these positions.
    public var added: [JoinRow] = []

    /// Creates an empty set of changes.
    public init() {}

    /// A Boolean value that indicates whether there are no changes.
    public var isEmpty: Bool { removed.isEmpty && added.isEmpty }
}
