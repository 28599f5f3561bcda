import StrataCore

/// The unsaved changes of a context at one moment, which the context can restore later.
///
/// The time to create or restore a savepoint is proportional to the number of unsaved changes.
struct Savepoint {
    let deletions: DeletionState
    let counterparts: CounterpartState
    let detachedWrites: DetachedWrites
    let pendingJoins: [String: PendingJoins]
    private let objects: [String: PendingObjects]

    /// The objects of one entity that have unsaved changes.
    private struct PendingObjects {
        /// The new objects, in the order of their insertion.
        let inserted: [ManagedObject]
        /// The changed objects, including new and deleted ones, each with a closure that restores its state.
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

    /// Restores the state of all objects of an entity.
    ///
    /// Objects that had unsaved changes at the time of the savepoint regain those changes. All other objects regain the
    /// values that were last read or saved.
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
