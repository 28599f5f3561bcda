import StrataCore

/// What a batch update or batch delete did, or would have done.
public struct BatchResult: Sendable, Hashable {
    /// The rows of the entity that the condition selected.
    public let selectedCount: Int
    /// The identifiers of the rows of the entity that were changed or deleted, ascending.
    ///
    /// Rows that had the new values already are not among them, nor what a cascade deleted of the same entity.
    public let identifiers: [Int64]
    /// Everything that was changed and deleted, what delete rules did included.
    public let changes: SavedChanges
    /// Whether nothing was stored.
    public let isDryRun: Bool

    /// How many rows of the entity were changed or deleted.
    public var count: Int { identifiers.count }
}
