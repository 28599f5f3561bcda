import StrataCore
import StrataStoreKit

/// The result of a batch update or batch delete; the result of a dry run describes what would have been stored.
///
/// ## Topics
///
/// - ``selectedCount``
/// - ``count``
/// - ``identifiers``
/// - ``changes``
/// - ``isDryRun``
public struct BatchResult: Sendable, Hashable {
    /// The number of rows of the batch's entity that the condition selected.
    public let selectedCount: Int
    /// The identifiers of the changed or deleted rows of the batch's entity, in ascending order.
    ///
    /// They exclude rows that already had the new values, and rows of the same entity that only a cascade deleted.
    public let identifiers: [Int64]
    /// A Boolean value that indicates whether this is the result of a dry run, which stores nothing.
    public let isDryRun: Bool
    /// All rows that the batch changed or deleted, in all entities.
    let touched: TouchedRows

    /// All rows that the batch changed or deleted, in all entities, including the effects of delete rules.
    ///
    /// - Complexity: O(*n*) in the number of these rows for each access. The returned sets need several times the
    ///   memory of ``identifiers``. If you need the value more than once, store it in a variable.
    public var changes: SavedChanges { SavedChanges(touched) }

    /// The number of changed or deleted rows of the batch's entity.
    public var count: Int { identifiers.count }
}

/// The rows that a batch changed and deleted, by entity name.
///
/// Each identifier takes 8 bytes, because there may be millions of rows.
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
    /// Creates saved changes from the rows that a batch changed and deleted.
    init(_ touched: TouchedRows) {
        self.init(
            updated: touched.updated.mapValues { ChangedIdentifiers($0) },
            deleted: touched.deleted.mapValues { ChangedIdentifiers($0) })
    }
}
