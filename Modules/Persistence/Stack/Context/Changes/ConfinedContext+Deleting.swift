import StrataCore

extension ConfinedContext {
    /// Deletes an object with the next save.
    ///
    /// A second deletion has no effect. An object that was never saved is detached at once. The next read of the
    /// context, or its save, applies the delete rules: the objects that they reach are deleted or lose their
    /// references.
    public func delete(_ object: ManagedObject) {
        require(object)
        guard let identityMap = object.ownership.identityMap, object.state != .detached else { return }
        if identityMap.traits.hasHooks {
            // Objects whose hooks delete each other are deleted once.
            guard deletions.beginHook(object) else { return }
            defer { deletions.endHook(object) }
            // This hook does not throw, but the shared function that runs hooks can.
            try? run(.prepareForDeletion, on: object)
        }
        guard object.state != .detached else { return }
        deletions.note(object)
        forgetPrefetched(of: object.entityName)
        if object.state != .deleted { eventSink?(.deleted(entity: object.entityName, id: object.rawID)) }
        identityMap.move(object, to: object.state.afterDeletion)
        if object.state == .detached {
            identityMap.forget(object)
            deletions.discard(object)
        }
    }

    /// Deletes the object with an identifier with the next save.
    ///
    /// The identifier may come from any source.
    ///
    /// - Returns: A Boolean value that indicates whether there was such an object.
    @discardableResult
    public func delete<Record: PersistentRecord>(_ id: Record.ID, of type: Record.Type = Record.self) throws -> Bool {
        try delete(id, from: Record.entity)
    }

    /// Deletes the object of an entity with an identifier with the next save.
    ///
    /// - Returns: A Boolean value that indicates whether there was such an object.
    @discardableResult
    public func delete<Record: ManagedRecord>(_ id: Record.ID, from entity: RecordEntity<Record>) throws -> Bool {
        // The read must see the effects of a pending deletion of a parent object.
        try processPendingChanges()
        guard let object = try findObject(with: id, of: entity) else { return false }
        delete(object)
        return true
    }

    /// Deletes the object that a record describes with the next save.
    ///
    /// The record may come from any source.
    ///
    /// - Returns: A Boolean value that indicates whether there was such an object.
    @discardableResult
    public func delete<Record: ManagedRecord>(_ record: Record) throws -> Bool {
        try delete(record.id, from: record.recordEntity)
    }
}
