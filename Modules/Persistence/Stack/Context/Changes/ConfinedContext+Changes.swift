import StrataCore

/// The objects of a context, their changes, and the rollback of changes.
extension ConfinedContext {
    /// A Boolean value that indicates whether a save would write anything.
    ///
    /// A property that was set to its previous value counts as unchanged.
    public var hasChanges: Bool {
        if !detachedWrites.isEmpty { return true }
        if pendingJoins.values.contains(where: { $0.hasChanges(isDeleted: isDeletedHere) }) { return true }
        return identityMaps.values.contains(where: \.hasChanges)
    }

    /// The objects that are not saved yet, entity by entity, and for each entity in the order of insertion.
    public var insertedObjects: [ManagedObject] { orderedIdentityMaps.flatMap(\.inserted) }

    /// The objects with changed values, entity by entity.
    public var updatedObjects: [ManagedObject] { orderedIdentityMaps.flatMap { $0.updated.filter(\.hasChanges) } }

    /// The objects that the next save deletes, entity by entity.
    ///
    /// Objects that delete rules delete are included only after a fetch or a save has applied the rules.
    public var deletedObjects: [ManagedObject] { orderedIdentityMaps.flatMap(\.deletedInOrder) }

    /// All objects of the context that have changes or that other code references, by entity and identifier.
    ///
    /// For the references that retain an object, see ``registeredObject(for:of:)``.
    public var registeredObjects: [ManagedObject] { orderedIdentityMaps.flatMap(\.objects) }

    /// Discards all unsaved changes.
    ///
    /// New objects are detached; changed and deleted objects regain the values that were last read or saved. Inside
    /// ``transaction(mergePolicy:_:)``, the method discards only the changes since the innermost transaction began.
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

    /// Returns a savepoint that contains the present unsaved changes.
    func makeSavepoint() -> Savepoint {
        Savepoint(
            deletions: deletions, counterparts: counterparts, detachedWrites: detachedWrites,
            pendingJoins: pendingJoins, identityMaps.values)
    }

    /// Replaces the unsaved changes of the context with those that a savepoint contains.
    func restore(_ savepoint: Savepoint) {
        (deletions, counterparts) = (savepoint.deletions, savepoint.counterparts)
        (detachedWrites, pendingJoins) = (savepoint.detachedWrites, savepoint.pendingJoins)
        forgetReadAhead()
        for identityMap in identityMaps.values { savepoint.restore(identityMap) }
    }

    /// Removes every object from the context.
    ///
    /// Objects that other code still references are detached: they retain their last values, and after a write to one
    /// of them the next save throws an error. Inside a nested ``transaction(mergePolicy:_:)``, the method only performs
    /// a ``rollback()``, because the objects of the outer transaction must remain.
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
