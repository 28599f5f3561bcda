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
    ///
    /// Inside a ``transaction(mergePolicy:_:)`` it gives up what was changed since the innermost one began.
    public func rollback() {
        giveUpChanges()
        eventSink?(.rolledBack)
    }

    private func giveUpChanges() {
        if let savepoint = savepoints.last { return restore(savepoint) }
        detachedWrites.clear()
        deletions.clear()
        partners.clear()
        pendingJoins = [:]
        forgetReadAhead()
        for identityMap in identityMaps.values {
            for object in identityMap.current + identityMap.deletedInOrder { identityMap.giveUp(object) }
        }
    }

    /// What is not saved, as it is now.
    func makeSavepoint() -> Savepoint {
        Savepoint(
            deletions: deletions, partners: partners, detachedWrites: detachedWrites,
            pendingJoins: pendingJoins, identityMaps.values)
    }

    /// Goes back to what was not saved then.
    func restore(_ savepoint: Savepoint) {
        (deletions, partners) = (savepoint.deletions, savepoint.partners)
        (detachedWrites, pendingJoins) = (savepoint.detachedWrites, savepoint.pendingJoins)
        forgetReadAhead()
        for identityMap in identityMaps.values { savepoint.restore(identityMap) }
    }

    /// Forgets every object.
    ///
    /// Those somebody still holds are detached: they keep their last values, and a write to one is an error of the next save. Inside a
    /// ``transaction(mergePolicy:_:)`` within another it is a ``rollback()``: the outer one's objects stay.
    public func reset() {
        giveUpChanges()
        guard savepoints.count <= 1 else { return }
        for identityMap in identityMaps.values { identityMap.forgetAll() }
        successors = [:]
        readsPartnersAnew()
        merges.forget()
        eventSink?(.reset)
    }
}
