import StrataCore

extension ConfinedContext {
    /// Reads an object's row again, at once.
    ///
    /// An object that was not saved yet has no row. An object that is deleted here stays deleted.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - mergeChanges: A Boolean value that indicates whether the object's changes stay on top of the row; otherwise
    ///     they are discarded.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the row does not exist any
    ///   more. Without changes to keep, the object is then detached; otherwise it is unchanged, and the next save
    ///   reports the conflict. The code is ``PersistenceError/Code/unreadable`` if the row makes no valid record, and
    ///   ``PersistenceError/Code/validation`` if it makes none with the changes on top. Errors of a hook are rethrown.
    ///   After these errors the object is unchanged.
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

    /// Reads the rows of all objects again, at once; changes stay on top.
    ///
    /// Changes that other saves made to the same properties are no longer conflicts. The method executes one statement
    /// for each entity. An object without changes whose row does not exist any more is detached.
    public func refreshAllObjects() throws {
        let time = coordinator.counterpartLog.time
        for identityMap in orderedIdentityMaps {
            try refresh(identityMap.objects, identityMap, isExplicit: true)
        }
        counterpartView.time = time
        counterparts.know(at: time)
    }

    /// Makes a row the stored state of an object, and runs the hook after a fetch.
    ///
    /// The record was created again, without the values that the hook had set.
    func rebase(_ object: ManagedObject, onto row: StoredRow, _ merging: RowMerging) throws {
        try object.typed.rebase(onto: row, merging)
        if object.ownership.identityMap?.traits.hasHooks == true { try awaken(object) }
    }

    /// Forgets earlier results for rows that are read again now.
    func forgetRead(_ entity: String, _ ids: [Int64]) {
        coordinator.rowCache.forget(entity, ids)
        sawNewerRows(of: entity)
    }
}
