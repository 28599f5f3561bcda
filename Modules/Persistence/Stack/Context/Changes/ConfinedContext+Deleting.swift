import StrataCore

extension ConfinedContext {
    /// Marks an object for deletion by the next save.
    ///
    /// If the object is already deleted, the method has no effect. An object that was never saved is detached at once.
    /// The next read or save of the context applies the delete rules: the related objects are deleted or lose their
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

    /// Marks the object with an identifier for deletion by the next save.
    ///
    /// The identifier may come from any context or from outside the process.
    ///
    /// - Returns: `false` if no such object exists; otherwise `true`.
    @discardableResult
    public func delete<Record: PersistentRecord>(_ id: Record.ID, of type: Record.Type = Record.self) throws -> Bool {
        try delete(id, from: Record.entity)
    }

    /// Marks the object of an entity with an identifier for deletion by the next save.
    ///
    /// - Returns: `false` if no such object exists; otherwise `true`.
    @discardableResult
    public func delete<Record: ManagedRecord>(_ id: Record.ID, from entity: RecordEntity<Record>) throws -> Bool {
        // The read must see the effects of a pending deletion of a parent object.
        try processPendingChanges()
        guard let object = try findObject(with: id, of: entity) else { return false }
        delete(object)
        return true
    }

    /// Marks the object with a record's identifier for deletion by the next save.
    ///
    /// The record may come from any context or from outside the process.
    ///
    /// - Returns: `false` if no such object exists; otherwise `true`.
    @discardableResult
    public func delete<Record: ManagedRecord>(_ record: Record) throws -> Bool {
        try delete(record.id, from: record.recordEntity)
    }
}
