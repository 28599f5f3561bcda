/// A pair of a many-to-many relationship: which source leads to which target.
public struct JoinPair: Sendable, Hashable {
    /// The identifier on the source's side.
    public var source: Int64
    /// The identifier on the target's side.
    public var target: Int64

    /// A pair.
    public init(source: Int64, target: Int64) {
        self.source = source
        self.target = target
    }
}

/// A pair with its positions.
public struct JoinRow: Sendable, Hashable {
    /// The pair.
    public var pair: JoinPair
    /// The target's position among the source's targets; `nil` where the relationship is not ordered.
    public var sourcePosition: Int64?
    /// The source's position among the target's sources; `nil` where the relationship is not ordered.
    public var targetPosition: Int64?

    /// A pair with its positions.
    public init(_ pair: JoinPair, sourcePosition: Int64? = nil, targetPosition: Int64? = nil) {
        self.pair = pair
        self.sourcePosition = sourcePosition
        self.targetPosition = targetPosition
    }
}

/// What one save changes of one many-to-many relationship.
///
/// Pairs are removed before any is added. Of a symmetric one either order names the pair.
public struct JoinChanges: Sendable {
    /// Pairs that go; one that is not there is no error.
    public var removed: [JoinPair] = []
    /// Pairs that come; one that is there already takes these positions.
    public var added: [JoinRow] = []

    /// No changes.
    public init() {}

    /// Whether there is nothing to write.
    public var isEmpty: Bool { removed.isEmpty && added.isEmpty }
}
