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
public struct LinkRow: Sendable, Hashable {
    /// The pair.
    public var link: JoinPair
    /// The target's position among the source's targets; `nil` where the link has none.
    public var sourcePosition: Int64?
    /// The source's position among the target's sources; `nil` where the link has none.
    public var targetPosition: Int64?

    /// A pair with its positions.
    public init(_ link: JoinPair, sourcePosition: Int64? = nil, targetPosition: Int64? = nil) {
        self.link = link
        self.sourcePosition = sourcePosition
        self.targetPosition = targetPosition
    }
}

/// What one save changes of one link.
///
/// Pairs are removed before any is added. Of a symmetric link either order names the pair.
public struct LinkChanges: Sendable {
    /// Pairs that go; one that is not there is no error.
    public var removed: [JoinPair] = []
    /// Pairs that come; one that is there already takes these positions.
    public var added: [LinkRow] = []

    /// No changes.
    public init() {}

    /// Whether there is nothing to write.
    public var isEmpty: Bool { removed.isEmpty && added.isEmpty }
}
