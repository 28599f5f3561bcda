import StrataCore

/// The objects of a context, their changes, and the rollback of changes.
extension ConfinedContext {
    /// A Boolean value that indicates whether a save would write anything.
    ///
    /// A property that was written with its old value is unchanged.
    public var hasChanges: Bool {
        if !detachedWrites.isEmpty { return true }
        if pendingJoins.values.contains(where: { $0.hasChanges(isDeleted: isDeletedHere) }) { return true }
        return identityMaps.values.contains(where: \.hasChanges)
    }

    /// The new objects, entity by entity, in the order of their insertion.
    public var insertedObjects: [ManagedObject] { orderedIdentityMaps.flatMap(\.inserted) }

    /// The objects with changed values, entity by entity.
    public var updatedObjects: [ManagedObject] { orderedIdentityMaps.flatMap { $0.updated.filter(\.hasChanges) } }

    /// The objects that the next save deletes, entity by entity.
    ///
    /// Objects that delete rules reach are included after a fetch or a save has applied the rules.
    public var deletedObjects: [ManagedObject] { orderedIdentityMaps.flatMap(\.deletedInOrder) }

    /// All objects of the context that are referenced or have changes, by entity and identifier.
    ///
    /// For the references that retain an object, see ``registeredObject(for:of:)``.
    public var registeredObjects: [ManagedObject] { orderedIdentityMaps.flatMap(\.objects) }

    /// Discards all unsaved changes.
    ///
    /// New objects are detached; changed and deleted ones regain the values that were read. Inside a
    /// ``transaction(mergePolicy:_:)``, the method discards the changes since the innermost transaction began.
    public func rollback() {
        discardChanges()
        eventSink?(.rolledBack)
    }

    private func discardChanges() {
        if let savepoint = savepoints.last { return restore(savepoint) }
        detachedWrites.clear()
        deletions.clear()
        counterparts.clear()
        pendingJoins = [:]
        forgetReadAhead()
        for identityMap in identityMaps.values {
            for object in identityMap.current + identityMap.deletedInOrder { identityMap.release(object) }
        }
    }

    /// Returns a savepoint of the unsaved changes.
    func makeSavepoint() -> Savepoint {
        Savepoint(
            deletions: deletions, counterparts: counterparts, detachedWrites: detachedWrites,
            pendingJoins: pendingJoins, identityMaps.values)
    }

    /// Restores the unsaved changes of a savepoint.
    func restore(_ savepoint: Savepoint) {
        (deletions, counterparts) = (savepoint.deletions, savepoint.counterparts)
        (detachedWrites, pendingJoins) = (savepoint.detachedWrites, savepoint.pendingJoins)
        forgetReadAhead()
        for identityMap in identityMaps.values { savepoint.restore(identityMap) }
    }

    /// Forgets every object.
    ///
    /// Objects that are still referenced are detached: they retain their last values, and after a write to one of them
    /// the next save throws an error. Inside a nested ``transaction(mergePolicy:_:)`` the method is a ``rollback()``:
    /// the objects of the outer transaction remain.
    public func reset() {
        discardChanges()
        guard savepoints.count <= 1 else { return }
        for identityMap in identityMaps.values { identityMap.forgetAll() }
        successors = [:]
        rereadsCounterparts()
        merges.forget()
        eventSink?(.reset)
    }
}
