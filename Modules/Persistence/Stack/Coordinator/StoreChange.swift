public import StrataCore

/// What changed in a store: published once by the coordinator, after the transaction, whoever made it.
///
/// What contexts merge and what the cache of rows forgets comes from here, and from nowhere else.
public struct StoreChange: Sendable, Hashable {
    /// Who made the change.
    public struct Origin: Sendable, Hashable {
        /// The name of the context that saved; `nil` where no context did.
        public let context: String?

        /// A context's save.
        public static func context(_ name: String) -> Origin { Origin(context: name) }

        /// A batch, or a bulk write: rows without objects.
        public static let batch = Origin(context: nil)
    }

    /// What changed of one entity.
    public struct EntityChange: Sendable, Hashable {
        /// New rows.
        public internal(set) var inserted = ChangedIdentifiers.none
        /// Rows with other values.
        public internal(set) var updated = ChangedIdentifiers.none
        /// Rows that are gone.
        public internal(set) var deleted = ChangedIdentifiers.none

        /// Whether nothing changed.
        public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
    }

    /// What changed, by the entity's name.
    public private(set) var entities: [String: EntityChange] = [:]
    /// Who made the change.
    public let origin: Origin

    /// What a save wrote.
    init(_ changes: SavedChanges, origin: Origin) {
        self.origin = origin
        for (entity, ids) in changes.inserted { entities[entity, default: .init()].inserted = .init(ids) }
        for (entity, ids) in changes.updated { entities[entity, default: .init()].updated = .init(ids) }
        for (entity, ids) in changes.deleted { entities[entity, default: .init()].deleted = .init(ids) }
    }

    /// What a batch changed and deleted, by the entity's name.
    init(updated: [String: ChangedIdentifiers], deleted: [String: ChangedIdentifiers]) {
        origin = .batch
        for (entity, ids) in updated where !ids.isEmpty { entities[entity, default: .init()].updated = ids }
        for (entity, ids) in deleted where !ids.isEmpty { entities[entity, default: .init()].deleted = ids }
    }

    /// What a bulk write did: nobody notes the identifiers of a million new rows.
    init(counts: [String: InsertCounts], updated: [String: ChangedIdentifiers]) {
        origin = .batch
        for (entity, counts) in counts where counts.inserted > 0 {
            entities[entity, default: .init()].inserted = .everything
        }
        for (entity, ids) in updated where !ids.isEmpty { entities[entity, default: .init()].updated = ids }
    }

    /// Whether no row changed; pairs of many-to-many relationships may have.
    public var isEmpty: Bool { entities.values.allSatisfy(\.isEmpty) }
}
