import StrataCore

/// What a batch update or batch delete did, or would have done.
public struct BatchResult: Sendable, Hashable {
    /// The rows of the entity that the condition selected.
    public let selectedCount: Int
    /// The identifiers of the rows of the entity that were changed or deleted, ascending.
    ///
    /// Rows that had the new values already are not among them, nor what a cascade deleted of the same entity.
    public let identifiers: [Int64]
    /// Whether nothing was stored.
    public let isDryRun: Bool
    /// Everything that was changed and deleted.
    let touched: TouchedRows

    /// Everything that was changed and deleted, what delete rules did included.
    ///
    /// - Complexity: O(*n*) in the rows each time, and as sets take it several times the memory of ``identifiers``: keep it where it is asked more than once.
    public var changes: SavedChanges { SavedChanges(touched) }

    /// How many rows of the entity were changed or deleted.
    public var count: Int { identifiers.count }
}

/// The rows that a batch changed and deleted, by the entity's name: 8 bytes each, as there may be millions.
struct TouchedRows: Sendable, Hashable {
    var updated: [String: [Int64]] = [:]
    var deleted: [String: [Int64]] = [:]
}

extension SavedChanges {
    init(_ touched: TouchedRows) {
        self.init()
        updated = touched.updated.mapValues { Set($0) }
        deleted = touched.deleted.mapValues { Set($0) }
    }
}

extension StoreChange {
    /// What a batch did.
    init(_ touched: TouchedRows) {
        self.init(
            updated: touched.updated.mapValues { ChangedIdentifiers($0) },
            deleted: touched.deleted.mapValues { ChangedIdentifiers($0) })
    }
}
