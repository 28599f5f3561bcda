import StrataCore

/// What a save wrote, by entity and identifier.
public struct SavedChanges: Sendable, Hashable {
    /// New objects.
    public internal(set) var inserted: [String: Set<Int64>] = [:]
    /// Changed objects.
    public internal(set) var updated: [String: Set<Int64>] = [:]
    /// Objects that this save deleted; not those that somebody else had deleted before.
    public internal(set) var deleted: [String: Set<Int64>] = [:]
    /// Pairs that were added to many-to-many relationships, by the name of their ``JoinDescription``; those that were there already are among them.
    public internal(set) var addedPairs: [String: Set<JoinPair>] = [:]
    /// Pairs that were taken out of many-to-many relationships, whether or not they were there; those of deleted objects are not named.
    public internal(set) var removedPairs: [String: Set<JoinPair>] = [:]
    /// New objects that were not inserted, because another object had their unique value: the other one's identifier by theirs.
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

    /// Whether nothing was written.
    public var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && addedPairs.isEmpty && removedPairs.isEmpty
            && upserted.isEmpty
    }
}
