import StrataCore

extension ConfinedContext {
    /// Reads an object's row again, at once.
    ///
    /// An object that was not saved yet has no row, and one that is deleted here stays deleted.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - mergeChanges: Whether its changes stay on top of the row; otherwise they are given up.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when the row is gone: without changes to keep the object is
    ///   then detached, otherwise it is as before, and the next save reports the conflict; with ``PersistenceError/Code/unreadable`` when the row is no
    ///   record, ``PersistenceError/Code/validation`` when it is none with the changes on top, or what a hook throws, and the object is as before.
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

    /// Reads the rows of all objects again, at once; changes stay on top, and what others changed of the same properties is a conflict no more.
    ///
    /// One statement an entity. An object without changes whose row is gone is detached.
    public func refreshAllObjects() throws {
        let time = coordinator.partnerLog.time
        for identityMap in orderedIdentityMaps {
            try refresh(identityMap.objects, identityMap, isAskedFor: true)
        }
        partnerView.time = time
        partners.know(at: time)
    }

    /// Takes a row as what the store has, and runs the hook after a fetch: the record was made anew, without what the hook had filled in.
    func rebase(_ object: ManagedObject, onto row: StoredRow, _ merging: RowMerging) throws {
        try object.typed.rebase(onto: row, merging)
        if object.ownership.identityMap?.traits.hasHooks == true { try awaken(object) }
    }

    /// Forgets what was read earlier of rows that are read again now.
    func forgetRead(_ entity: String, _ ids: [Int64]) {
        coordinator.rowCache.forget(entity, ids)
        sawNewerRows(of: entity)
    }
}
