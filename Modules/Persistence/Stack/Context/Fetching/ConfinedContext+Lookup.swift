import StrataCore

/// Looks up single objects by identifier.
extension ConfinedContext {
    /// Returns a reference to the object with an identifier, without a read.
    public func object<Record: PersistentRecord>(with id: Record.ID, of type: Record.Type = Record.self) -> Fault<
        Record
    > {
        object(with: id, in: Record.entity)
    }

    /// Returns a reference to the object of an entity with an identifier, without a read.
    public func object<Record: ManagedRecord>(
        with id: Record.ID, in entity: RecordEntity<Record>
    ) -> Fault<Record> {
        Fault(id, entity, self)
    }

    /// Returns the object with an identifier, from the context or from the store.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if there is none, or if it was
    ///   deleted here.
    public func existingObject<Record: PersistentRecord>(
        with id: Record.ID, of type: Record.Type = Record.self
    ) throws -> Managed<Record> {
        try existingObject(with: id, in: Record.entity)
    }

    /// Returns the object of an entity with an identifier, from the context or from the store.
    ///
    /// - Throws: The same errors as the method with a type.
    public func existingObject<Record: ManagedRecord>(
        with id: Record.ID, in entity: RecordEntity<Record>
    ) throws -> Managed<Record> {
        try processPendingChanges()
        guard let object = try findObject(with: id, of: entity) else {
            throw PersistenceError(.objectNotFound, "there is no object \(id.rawValue)", entity: entity.name)
        }
        return object
    }

    /// Returns the object with an identifier, if the context has it and it is in use; never reads.
    ///
    /// The context retains objects with changes, and holds all others like weak references. Swift retains the object of
    /// a variable only until its last use, so that an optimized build may release it earlier than a debug build. To
    /// find an object here, use it later, or retain it with `withExtendedLifetime`. ``existingObject(with:of:)``
    /// returns the object in every case.
    public func registeredObject<Record: PersistentRecord>(
        for id: Record.ID, of type: Record.Type = Record.self
    ) -> Managed<Record>? {
        registeredObject(for: id, in: Record.entity)
    }

    /// Returns the object of an entity with an identifier, if it is registered and in use; never reads.
    public func registeredObject<Record: ManagedRecord>(
        for id: Record.ID, in entity: RecordEntity<Record>
    ) -> Managed<Record>? {
        identityMaps[entity.name]?.object(id.rawValue) as? Managed<Record>
    }

    /// Returns the object that holds the values of an object after its save.
    ///
    /// It is the object itself, or the object with its unique value into which a merge policy merged it. The context
    /// that saved knows this until ``reset()``; ``SavedChanges/upserted`` has the same information as a value.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if there is none, or if it was
    ///   deleted here.
    public func existingObject<Record: ManagedRecord>(
        holding object: Managed<Record>
    ) throws -> Managed<Record> {
        require(object)
        guard object.state == .detached, let raw = successors[object.entityName]?[object.rawID],
            let id = Record.ID(rawValue: raw)
        else { return try existingObject(with: object.id, in: object.recordEntity) }
        return try existingObject(with: id, in: object.recordEntity)
    }

    /// Returns the object with an identifier; `nil` if there is none, or if it was deleted here.
    func findObject<Record: ManagedRecord>(
        with id: Record.ID, of entity: RecordEntity<Record>
    ) throws -> Managed<Record>? {
        try merges.throwFailure()
        let identityMap = try identityMap(of: entity)
        if let object = identityMap.object(id.rawValue) as? Managed<Record> {
            return object.state == .deleted || object.state == .detached ? nil : object
        }
        // A new object with the same identifier may have replaced it in the table, and may have been deleted too.
        if identityMap.deleted[id.rawValue] != nil { return nil }
        // This check comes first, so that generic code of the record type runs only if the cache is on.
        if !coordinator.rowCache.isOff, let cached = try cachedObject(id.rawValue, identityMap, of: entity) {
            return cached
        }
        return try readObject(id.rawValue, identityMap, of: entity)
    }

    /// Returns the objects with some identifiers, in their order.
    ///
    /// Objects that do not exist or were deleted here are omitted. The method executes one statement, or none if the
    /// context has all objects. If `fromStore` is true, objects that the context does not have, or has without changes,
    /// come from the store itself, as those of a fetch do.
    func objects<Record: ManagedRecord>(
        withRawIDs ids: [Int64], of entity: RecordEntity<Record>, fromStore: Bool = false,
        _ report: UnreadableRowReport? = nil
    ) throws -> [Managed<Record>] {
        let identityMap = try identityMap(of: entity)
        var found: [Int64: Managed<Record>] = [:]
        var missing: [Int64] = []
        for id in ids {
            let object = identityMap.object(id) as? Managed<Record>
            if let object, !object.isDeletedOrDetached, !fromStore || object.state != .unchanged {
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

    /// Returns the objects with some identifiers, for a record type that is known only at run time.
    func objects(withRawIDs ids: [Int64], of entity: String) throws -> [ManagedObject] {
        func objects<Entity: AnyRecordEntity>(_ entity: Entity) throws -> [ManagedObject] {
            try self.objects(withRawIDs: ids, of: entity.typed)
        }
        return try objects(try recordEntity(of: entity))
    }
}
