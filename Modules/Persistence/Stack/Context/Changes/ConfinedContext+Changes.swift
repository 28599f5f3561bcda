import StrataCore

/// What a context has, what of it changed, and how changes are given up.
extension ConfinedContext {
    /// Whether a save would write anything.
    ///
    /// A property written with the value it had is no change.
    public var hasChanges: Bool {
        if !detachedWrites.isEmpty { return true }
        if pendingJoins.values.contains(where: { $0.hasChanges(isGone: isDeletedHere) }) { return true }
        return identityMaps.values.contains(where: \.hasChanges)
    }

    /// New objects, entity by entity, in the order in which they were inserted.
    public var insertedObjects: [ManagedObject] { orderedIdentityMaps.flatMap(\.inserted) }

    /// Objects with changed values, entity by entity.
    public var updatedObjects: [ManagedObject] { orderedIdentityMaps.flatMap { $0.updated.filter(\.hasChanges) } }

    /// Objects that the next save deletes, entity by entity; those that delete rules will reach are among them once the rules were carried out,
    /// by a fetch or a save.
    public var deletedObjects: [ManagedObject] { orderedIdentityMaps.flatMap(\.deletedInOrder) }

    /// Every object of the context that somebody holds or that has changes, entity by entity and by identifier.
    ///
    /// Who holds an object, and how long, is said at ``registeredObject(for:of:)``.
    public var registeredObjects: [ManagedObject] { orderedIdentityMaps.flatMap(\.objects) }

    /// Gives up everything that was not saved: new objects are detached, changed and deleted ones are as they were read.
    public func rollback() {
        giveUpChanges()
        eventSink?(.rolledBack)
    }

    private func giveUpChanges() {
        detachedWrites.clear()
        deletions.clear()
        partners.clear()
        pendingJoins = [:]
        prefetched = Prefetched()
        for identityMap in identityMaps.values {
            for object in identityMap.current + identityMap.deletedInOrder {
                let wasInserted = object.state == .inserted
                identityMap.move(object, to: object.state.rolledBack)
                object.revert()
                // An object that was deleted gets its place back from a new one that had taken its identifier.
                if wasInserted { identityMap.forget(object) } else { identityMap.register(object) }
            }
        }
    }

    /// Forgets every object.
    ///
    /// Those somebody still holds are detached: they keep their last values, and a write to one is an error of the next save.
    public func reset() {
        giveUpChanges()
        for identityMap in identityMaps.values { identityMap.forgetAll() }
        merges.forget()
        eventSink?(.reset)
    }
}
