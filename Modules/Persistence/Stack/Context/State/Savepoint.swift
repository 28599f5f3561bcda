import StrataCore

/// The unsaved changes of a context at one moment, which the context can restore.
///
/// The value knows objects and no context. The cost of a savepoint and of its restoration is proportional to the number
/// of unsaved changes.
struct Savepoint {
    let deletions: DeletionState
    let counterparts: CounterpartState
    let detachedWrites: DetachedWrites
    let pendingJoins: [String: PendingJoins]
    private let objects: [String: PendingObjects]

    /// The changed objects of one entity.
    private struct PendingObjects {
        /// The new objects, in the order of their insertion.
        let inserted: [ManagedObject]
        /// A closure for each changed object, new and deleted ones included, that restores its state.
        let restorations: [(object: ManagedObject, restore: () -> Void)]
    }

    init(
        deletions: DeletionState, counterparts: CounterpartState, detachedWrites: DetachedWrites,
        pendingJoins: [String: PendingJoins], _ identityMaps: some Sequence<IdentityMap>
    ) {
        self.deletions = deletions
        self.counterparts = counterparts
        self.detachedWrites = detachedWrites
        self.pendingJoins = pendingJoins
        objects = identityMaps.reduce(into: [:]) { objects, identityMap in
            guard identityMap.hasPending else { return }
            let pending = identityMap.current + identityMap.deletedInOrder
            objects[identityMap.entity.name] = PendingObjects(
                inserted: identityMap.inserted, restorations: pending.map { ($0, $0.typed.restoration()) })
        }
    }

    /// Restores the objects of an entity.
    ///
    /// Objects that were changed at the savepoint regain that state. All others regain the values that were read.
    func restore(_ identityMap: IdentityMap) {
        let known = objects[identityMap.entity.name]
        let kept = Set((known?.restorations ?? []).map { ObjectIdentifier($0.object) })
        for object in identityMap.current + identityMap.deletedInOrder where !kept.contains(ObjectIdentifier(object)) {
            identityMap.release(object)
        }
        guard let known else { return }
        for (object, restore) in known.restorations {
            restore()
            identityMap.restoreCounterparts(of: object)
        }
        identityMap.orderInsertions(known.inserted)
    }
}
