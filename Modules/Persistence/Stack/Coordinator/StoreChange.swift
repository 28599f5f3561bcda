import StrataCore
public import StrataStoreKit

/// A change in a store, which the coordinator publishes once after the transaction, regardless of the writer.
///
/// Only such changes cause contexts to merge and cached rows to be removed.
public struct StoreChange: Sendable, Hashable {
    /// The writer of a change.
    public struct Origin: Sendable, Hashable {
        /// The name of the context that saved, or `nil` if a batch or bulk write made the change.
        public let context: String?

        private let isHistory: Bool

        private init(context: String?, isHistory: Bool = false) {
            (self.context, self.isHistory) = (context, isHistory)
        }

        /// The origin for changes of other containers and processes that the history of the store contains.
        static let history = Origin(context: nil, isHistory: true)

        /// Returns the origin for a save of a context.
        public static func context(_ name: String) -> Origin { Origin(context: name) }

        /// The origin for a batch or bulk write, which writes rows without a context.
        public static let batch = Origin(context: nil)
    }

    /// The changed rows of one entity.
    public struct EntityChange: Sendable, Hashable {
        /// The identifiers of the inserted rows.
        public internal(set) var inserted = ChangedIdentifiers.none
        /// The identifiers of the rows with changed values.
        public internal(set) var updated = ChangedIdentifiers.none
        /// The identifiers of the deleted rows.
        public internal(set) var deleted = ChangedIdentifiers.none

        /// A Boolean value that indicates whether no row of the entity was changed.
        public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
    }

    /// The changed rows, by entity name.
    public private(set) var entities: [String: EntityChange] = [:]
    /// The names of the join tables whose rows a save changed; a batch does not report them.
    private(set) var joins: Set<String> = []
    /// The writer of the change.
    public let origin: Origin

    /// Creates a change from the changes that a save wrote.
    init(_ changes: SavedChanges, origin: Origin) {
        self.origin = origin
        joins = Set(changes.addedPairs.keys).union(changes.removedPairs.keys)
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

    /// Creates a change from a bulk write, which records only the number of inserted rows, not their identifiers.
    init(counts: [String: InsertCounts], updated: [String: ChangedIdentifiers]) {
        origin = .batch
        for (entity, counts) in counts where counts.inserted > 0 {
            entities[entity, default: .init()].inserted = .everything
        }
        for (entity, ids) in updated where !ids.isEmpty { entities[entity, default: .init()].updated = ids }
    }

    /// Creates a change from the changes of transactions in the history of a store.
    init(_ changes: [HistoryChange], in model: ManagedObjectModel) {
        origin = .history
        let names = Set(model.entities.map(\.name))
        for change in changes {
            guard names.contains(change.entity) else {
                joins.insert(change.entity)
                continue
            }
            let ids =
                change.identifiers.map { ids in
                    ids.count > ChangedIdentifiers.maximumCount ? .everything : .some(Set(ids))
                } ?? ChangedIdentifiers.everything
            switch change.kind {
            case .insert: entities[change.entity, default: .init()].inserted.formUnion(ids)
            case .delete: entities[change.entity, default: .init()].deleted.formUnion(ids)
            default: entities[change.entity, default: .init()].updated.formUnion(ids)
            }
        }
    }

    /// Returns the names of the entities with changed rows, and of those at the ends of changed join rows.
    func affectedEntities(in model: ManagedObjectModel) -> Set<String> {
        let ends = model.joins.filter { joins.contains($0.name) }.flatMap { [$0.sourceEntity, $0.targetEntity] }
        return Set(entities.keys).union(ends)
    }

    /// Creates a change of unknown rows and join rows of entities, which another container or process made.
    init(unknownIn entities: Set<String>) {
        self.init(
            updated: Dictionary(uniqueKeysWithValues: entities.map { ($0, .everything) }), deleted: [:])
    }

    /// A Boolean value that indicates whether no row was changed; join rows of many-to-many relationships may still
    /// have changed.
    public var isEmpty: Bool { entities.values.allSatisfy(\.isEmpty) }
}
