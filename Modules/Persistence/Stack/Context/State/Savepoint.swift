import StrataCore

/// What a context has that is not saved, at one moment, to go back to it.
///
/// A value that knows objects and no context; making one and going back cost as much as there are unsaved changes.
struct Savepoint {
    let deletions: DeletionState
    let partners: PartnerState
    let detachedWrites: DetachedWrites
    let pendingJoins: [String: PendingJoins]
    private let objects: [String: PendingObjects]

    /// The changed objects of one entity.
    private struct PendingObjects {
        /// New ones in the order in which they came.
        let inserted: [ManagedObject]
        /// What puts each changed object back, new and deleted ones included.
        let restorations: [(object: ManagedObject, restore: () -> Void)]
    }

    init(
        deletions: DeletionState, partners: PartnerState, detachedWrites: DetachedWrites,
        pendingJoins: [String: PendingJoins], _ identityMaps: some Sequence<IdentityMap>
    ) {
        self.deletions = deletions
        self.partners = partners
        self.detachedWrites = detachedWrites
        self.pendingJoins = pendingJoins
        objects = identityMaps.reduce(into: [:]) { objects, identityMap in
            guard identityMap.hasPending else { return }
            let pending = identityMap.current + identityMap.deletedInOrder
            objects[identityMap.entity.name] = PendingObjects(
                inserted: identityMap.inserted, restorations: pending.map { ($0, $0.typed.restoration()) })
        }
    }

    /// Makes the objects of an entity what they were: those that were changed then as they were, those that were not as they were read.
    func restore(_ identityMap: IdentityMap) {
        let known = objects[identityMap.entity.name]
        let kept = Set((known?.restorations ?? []).map { ObjectIdentifier($0.object) })
        for object in identityMap.current + identityMap.deletedInOrder where !kept.contains(ObjectIdentifier(object)) {
            identityMap.giveUp(object)
        }
        guard let known else { return }
        for (object, restore) in known.restorations {
            restore()
            identityMap.reclaimPartners(of: object)
        }
        identityMap.orderInsertions(known.inserted)
    }
}
