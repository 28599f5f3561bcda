public import StrataCore

/// A change in a store, which the coordinator publishes once after the transaction, independent of the writer.
///
/// It is the only source for the merges of contexts and for removals from the row cache.
public struct StoreChange: Sendable, Hashable {
    /// The origin of a change.
    public struct Origin: Sendable, Hashable {
        /// The name of the context that saved, or `nil` if no context did.
        public let context: String?

        /// Returns the origin for a context's save.
        public static func context(_ name: String) -> Origin { Origin(context: name) }

        /// The origin for a batch or a bulk write, which write rows without objects.
        public static let batch = Origin(context: nil)
    }

    /// The change of one entity.
    public struct EntityChange: Sendable, Hashable {
        /// The new rows.
        public internal(set) var inserted = ChangedIdentifiers.none
        /// The rows with changed values.
        public internal(set) var updated = ChangedIdentifiers.none
        /// The deleted rows.
        public internal(set) var deleted = ChangedIdentifiers.none

        /// A Boolean value that indicates whether no row of the entity changed.
        public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
    }

    /// The changes by the name of the entity.
    public private(set) var entities: [String: EntityChange] = [:]
    /// The origin of the change.
    public let origin: Origin

    /// Creates a change from a save.
    init(_ changes: SavedChanges, origin: Origin) {
        self.origin = origin
        for (entity, ids) in changes.inserted { entities[entity, default: .init()].inserted = .init(ids) }
        for (entity, ids) in changes.updated { entities[entity, default: .init()].updated = .init(ids) }
        for (entity, ids) in changes.deleted { entities[entity, default: .init()].deleted = .init(ids) }
    }

    /// Creates a change from the rows that a batch changed and deleted, by the name of the entity.
    init(updated: [String: ChangedIdentifiers], deleted: [String: ChangedIdentifiers]) {
        origin = .batch
        for (entity, ids) in updated where !ids.isEmpty { entities[entity, default: .init()].updated = ids }
        for (entity, ids) in deleted where !ids.isEmpty { entities[entity, default: .init()].deleted = ids }
    }

    /// Creates a change from a bulk write, which does not record the identifiers of new rows because of their number.
    init(counts: [String: InsertCounts], updated: [String: ChangedIdentifiers]) {
        origin = .batch
        for (entity, counts) in counts where counts.inserted > 0 {
            entities[entity, default: .init()].inserted = .everything
        }
        for (entity, ids) in updated where !ids.isEmpty { entities[entity, default: .init()].updated = ids }
    }

    /// A Boolean value that indicates whether no row changed; join rows of many-to-many relationships may have changed.
    public var isEmpty: Bool { entities.values.allSatisfy(\.isEmpty) }
}
