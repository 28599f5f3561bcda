/// The two identifiers in a row of a join table.
public struct JoinPair: Sendable, Hashable {
    /// The identifier of the row on the source side.
    public var source: Int64
    /// The identifier of the row on the target side.
    public var target: Int64

    /// Creates a pair of identifiers.
    public init(source: Int64, target: Int64) {
        self.source = source
        self.target = target
    }
}

/// A row of a join table: a pair of identifiers with the positions in ordered relationships.
public struct JoinRow: Sendable, Hashable {
    /// The identifiers of the source row and the target row.
    public var pair: JoinPair
    /// The target's position among the targets of its source; `nil` if the targets are not ordered.
    public var sourcePosition: Int64?
    /// The source's position among the sources of its target; `nil` if the sources are not ordered.
    public var targetPosition: Int64?

    /// Creates a join row from a pair of identifiers and its positions.
    public init(_ pair: JoinPair, sourcePosition: Int64? = nil, targetPosition: Int64? = nil) {
        self.pair = pair
        self.sourcePosition = sourcePosition
        self.targetPosition = targetPosition
    }
}

/// The changes of one save to the join rows of one many-to-many relationship.
///
/// Join rows are removed before any are added. In a symmetric relationship, the identifiers of a pair may be in either
/// order.
public struct JoinChanges: Sendable {
    /// The pairs whose join rows are deleted; a pair without a join row is ignored.
    public var removed: [JoinPair] = []
    /// The join rows to insert; if a pair has a join row already, that row gets the new positions.
    public var added: [JoinRow] = []

    /// Creates changes that contain no join rows.
    public init() {}

    /// A Boolean value that indicates whether no join rows are added or removed.
    public var isEmpty: Bool { removed.isEmpty && added.isEmpty }
}
