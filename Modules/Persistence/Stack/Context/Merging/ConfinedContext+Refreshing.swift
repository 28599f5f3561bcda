import StrataCore

extension ConfinedContext {
    /// Reads an object's row again, immediately.
    ///
    /// If the object was never saved, it has no row and is unchanged. If this context deleted the object, it remains
    /// deleted.
    ///
    /// - Parameters:
    ///   - object: The object to refresh.
    ///   - mergeChanges: A Boolean value that indicates whether unsaved changes of the object are retained; otherwise
    ///     they are discarded.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the row does not exist any
    ///   more. In this case, an object without changes to retain is detached; any other object is unchanged, and the
    ///   next save reports the conflict. With code ``PersistenceError/Code/unreadable`` if the row forms no valid
    ///   record, and with code ``PersistenceError/Code/validation`` if the row together with the retained changes forms
    ///   none. Errors of a hook are rethrown. After these errors the object is unchanged.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
        require(object)
        guard let identityMap = object.ownership.identityMap, object.state != .inserted, object.state != .detached
        else { return }
        forgetRead(identityMap.entity.name, [object.rawID])
        let row = try parentRows(of: identityMap.entity.name, [object.rawID]).first
        guard let row else {
            let keeps = mergeChanges && object.hasChanges || object.state == .deleted
            if !keeps {
                identityMap.move(object, to: .detached)
                identityMap.forget(object)
            }
            throw PersistenceError(
                .objectNotFound, "object \(object.rawID) is not in the store any more", entity: object.entityName)
        }
        try rebase(object, onto: row, mergeChanges ? .keepChanges : .dropChanges)
        if object.state == .updated, !mergeChanges { identityMap.move(object, to: .unchanged) }
    }

    /// Reads the rows of all objects in the context again, immediately, and retains unsaved changes.
    ///
    /// If another save changed a property that also has an unsaved change, this is no longer a conflict. The method
    /// executes one statement for each entity. An object without unsaved changes whose row does not exist any more is
    /// detached.
    public func refreshAllObjects() throws {
        let time = coordinator.counterpartLog.time
        for identityMap in orderedIdentityMaps {
            try refresh(identityMap.objects, identityMap, isExplicit: true)
        }
        counterpartView.time = time
        counterparts.know(at: time)
    }

    /// Makes a row the stored state of an object, and runs the hook ``LifecycleHooks/awakeFromFetch(_:in:)``.
    ///
    /// The hook must run because the record is created again, without values that the hook had set.
    func rebase(_ object: ManagedObject, onto row: StoredRow, _ merging: RowMerging) throws {
        try object.typed.rebase(onto: row, merging)
        if object.ownership.identityMap?.traits.hasHooks == true { try awaken(object) }
    }

    /// Discards cached and prefetched data of rows that are about to be read again.
    func forgetRead(_ entity: String, _ ids: [Int64]) {
        coordinator.rowCache.forget(entity, ids)
        sawNewerRows(of: entity)
    }
}
