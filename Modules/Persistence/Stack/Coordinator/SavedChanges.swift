import StrataCore
import StrataStoreKit

/// The changes that a save wrote, by entity name and object identifier.
///
/// ``ConfinedContext/save(mergePolicy:)`` returns them, and
/// ``ManagedObjectContext/transactionReportingChanges(mergePolicy:_:)`` returns them with the result of its closure.
/// Use them to update a search index or to notify clients after a save. They contain identifiers only; objects that a
/// delete rule deleted or changed are included.
///
/// ## Topics
///
/// ### Objects
///
/// - ``inserted``
/// - ``updated``
/// - ``deleted``
/// - ``upserted``
///
/// ### Join rows
///
/// - ``addedPairs``
/// - ``removedPairs``
///
/// ### Inspecting the changes
///
/// - ``isEmpty``
public struct SavedChanges: Sendable, Hashable {
    /// The identifiers of the inserted objects, by entity name.
    public internal(set) var inserted: [String: Set<Int64>] = [:]
    /// The identifiers of the changed objects, by entity name.
    public internal(set) var updated: [String: Set<Int64>] = [:]
    /// The identifiers of the objects that this save deleted, by entity name, without those that another save had
    /// deleted before.
    public internal(set) var deleted: [String: Set<Int64>] = [:]
    /// The added join rows of many-to-many relationships, by the name of their ``JoinDescription``.
    ///
    /// They include join rows that already existed before the save.
    public internal(set) var addedPairs: [String: Set<JoinPair>] = [:]
    /// The removed join rows of many-to-many relationships, by the name of their ``JoinDescription``.
    ///
    /// They include join rows that did not exist before the save, and exclude the join rows of deleted objects.
    public internal(set) var removedPairs: [String: Set<JoinPair>] = [:]
    /// The new objects that were merged into an existing object with the same unique value.
    ///
    /// For each entity name, a dictionary maps the identifier of each new object to that of the existing object.
    public internal(set) var upserted: [String: [Int64: Int64]] = [:]

    init() {}

    init(_ changes: ChangeSet) {
        for (entity, changes) in changes.entities {
            if !changes.insertions.isEmpty { inserted[entity] = Set(changes.insertions.map(\.id)) }
            if !changes.updates.isEmpty { updated[entity] = Set(changes.updates.map(\.id)) }
            if !changes.deletions.isEmpty { deleted[entity] = Set(changes.deletions.map(\.id)) }
        }
        for (join, changes) in changes.joins {
            if !changes.added.isEmpty { addedPairs[join] = Set(changes.added.map(\.pair)) }
            if !changes.removed.isEmpty { removedPairs[join] = Set(changes.removed) }
        }
    }

    /// A Boolean value that indicates whether nothing was written.
    public var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && addedPairs.isEmpty && removedPairs.isEmpty
            && upserted.isEmpty
    }
}
