import StrataCore

/// The result of a batch update or batch delete, or the result that a dry run would have stored.
public struct BatchResult: Sendable, Hashable {
    /// The number of rows of the entity that the condition selected.
    public let selectedCount: Int
    /// The identifiers of the changed or deleted rows of the entity, in ascending order.
    ///
    /// They do not include rows that already had the new values, or rows of the same entity that a cascade deleted.
    public let identifiers: [Int64]
    /// A Boolean value that indicates whether this is the result of a dry run, which stored nothing.
    public let isDryRun: Bool
    /// All changed and deleted rows.
    let touched: TouchedRows

    /// All changed and deleted rows, including the effects of delete rules.
    ///
    /// - Complexity: O(*n*) in the number of rows for each access. The sets need several times the memory of
    ///   ``identifiers``, so store the result if you need it more than once.
    public var changes: SavedChanges { SavedChanges(touched) }

    /// The number of changed or deleted rows of the entity.
    public var count: Int { identifiers.count }
}

/// The rows that a batch changed and deleted, by the name of the entity.
///
/// Each identifier takes 8 bytes, because there may be millions.
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
    /// Creates a change from the rows of a batch.
    init(_ touched: TouchedRows) {
        self.init(
            updated: touched.updated.mapValues { ChangedIdentifiers($0) },
            deleted: touched.deleted.mapValues { ChangedIdentifiers($0) })
    }
}
