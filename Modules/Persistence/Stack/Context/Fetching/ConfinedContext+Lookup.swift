import StrataCore

/// Single objects, by identifier.
extension ConfinedContext {
    /// The object with an identifier, not read yet.
    public func object<Record: PersistentRecord>(with id: Record.ID, of type: Record.Type = Record.self) -> Fault<
        Record
    > {
        object(with: id, in: Record.entity)
    }

    /// The object of an entity with an identifier, not read yet.
    public func object<Record: ManagedRecord>(
        with id: Record.ID, in entity: RecordEntity<Record>
    ) -> Fault<Record> {
        Fault(id, entity, self)
    }

    /// The object with an identifier: the one the context has, or read from the store.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is none, or it was deleted here.
    public func existingObject<Record: PersistentRecord>(
        with id: Record.ID, of type: Record.Type = Record.self
    ) throws -> Managed<Record> {
        try existingObject(with: id, in: Record.entity)
    }

    /// The object of an entity with an identifier: the one the context has, or read from the store.
    ///
    /// - Throws: As the call with a type.
    public func existingObject<Record: ManagedRecord>(
        with id: Record.ID, in entity: RecordEntity<Record>
    ) throws -> Managed<Record> {
        try processPendingChanges()
        guard let object = try findObject(with: id, of: entity) else {
            throw PersistenceError(.objectNotFound, "there is no object \(id.rawValue)", entity: entity.name)
        }
        return object
    }

    /// The object with an identifier, if the context has it and somebody uses it; never reads.
    ///
    /// The context keeps objects with changes by itself, and all others as a weak reference would. The language lets a variable hold its object to
    /// its last use and no longer, so an optimised build forgets earlier than another: what has to be found here is used later, or held by
    /// `withExtendedLifetime`. ``existingObject(with:of:)`` gives the object whoever holds it.
    public func registeredObject<Record: PersistentRecord>(
        for id: Record.ID, of type: Record.Type = Record.self
    ) -> Managed<Record>? {
        registeredObject(for: id, in: Record.entity)
    }

    /// The object of an entity with an identifier, if the context has it and somebody uses it; never reads.
    public func registeredObject<Record: ManagedRecord>(
        for id: Record.ID, in entity: RecordEntity<Record>
    ) -> Managed<Record>? {
        identityMaps[entity.name]?.object(id.rawValue) as? Managed<Record>
    }

    /// The object that holds the values of an object after its save: itself, or the one that a merge policy made of it, because that has its
    /// unique value.
    ///
    /// Known until ``reset()``, by the context that saved; ``SavedChanges/upserted`` says it as a value.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is none, or it was deleted here.
    public func existingObject<Record: ManagedRecord>(
        holding object: Managed<Record>
    ) throws -> Managed<Record> {
        require(object)
        guard object.state == .detached, let raw = successors[object.entityName]?[object.rawID],
            let id = Record.ID(rawValue: raw)
        else { return try existingObject(with: object.id, in: object.recordEntity) }
        return try existingObject(with: id, in: object.recordEntity)
    }

    /// The object with an identifier, or `nil` when there is none or it was deleted here.
    func findObject<Record: ManagedRecord>(
        with id: Record.ID, of entity: RecordEntity<Record>
    ) throws -> Managed<Record>? {
        try merges.throwFailure()
        let identityMap = try identityMap(of: entity)
        if let object = identityMap.object(id.rawValue) as? Managed<Record> {
            return object.state == .deleted || object.state == .detached ? nil : object
        }
        // Its place may have been taken by a new object with the same identifier, which was deleted too.
        if identityMap.deleted[id.rawValue] != nil { return nil }
        // Asked here, before anything in the record's own type is.
        if !coordinator.rowCache.isOff, let cached = try cachedObject(id.rawValue, identityMap, of: entity) {
            return cached
        }
        return try readObject(id.rawValue, identityMap, of: entity)
    }

    /// The objects with some identifiers, in their order; those that are not there, or were deleted here, are left out.
    ///
    /// One statement, and none when the context has them all.
    ///
    /// What the context does not have, or has without changes, comes from the store itself when `fromStore`, as a fetch's objects do.
    func objects<Record: ManagedRecord>(
        withRawIDs ids: [Int64], of entity: RecordEntity<Record>, fromStore: Bool = false,
        _ report: UnreadableRowReport? = nil
    ) throws -> [Managed<Record>] {
        let identityMap = try identityMap(of: entity)
        var found: [Int64: Managed<Record>] = [:]
        var missing: [Int64] = []
        for id in ids {
            let object = identityMap.object(id) as? Managed<Record>
            if let object, !object.isGone, !fromStore || object.state != .unchanged {
                found[id] = object
            } else if identityMap.deleted[id] != nil {
                continue
            } else if !fromStore, let object = try cachedObject(id, identityMap, of: entity) {
                found[id] = object
            } else {
                missing.append(id)
            }
        }
        if !missing.isEmpty {
            let condition = FetchCondition.isIn(.property("id"), missing.sorted().map(StoredValue.integer))
            let request = StoreRequest(identityMap.entity.name, where: condition)
            let read =
                try fromStore
                ? readObjects(request, identityMap, of: entity, report) : readKeeping(request, identityMap, of: entity)
            for object in read { found[object.rawID] = object }
        }
        return ids.compactMap { found[$0] }
    }

    /// The objects with some identifiers whose record type is known at run time only.
    func objects(withRawIDs ids: [Int64], of entity: String) throws -> [ManagedObject] {
        func objects<Entity: AnyRecordEntity>(_ entity: Entity) throws -> [ManagedObject] {
            try self.objects(withRawIDs: ids, of: entity.typed)
        }
        return try objects(try recordEntity(of: entity))
    }
}
