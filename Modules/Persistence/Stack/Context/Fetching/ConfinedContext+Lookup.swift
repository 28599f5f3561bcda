import StrataCore

/// The lookup of single objects by identifier.
extension ConfinedContext {
    /// Returns a reference to the object with an identifier, without reading the object.
    public func object<Record: PersistentRecord>(with id: Record.ID, of type: Record.Type = Record.self) -> Fault<
        Record
    > {
        object(with: id, in: Record.entity)
    }

    /// Returns a reference to the object of an entity with an identifier, without reading the object.
    public func object<Record: ManagedRecord>(
        with id: Record.ID, in entity: RecordEntity<Record>
    ) -> Fault<Record> {
        Fault(id, entity, self)
    }

    /// Returns the object with an identifier, from the context or from the store.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if no such object exists, or
    ///   if this context deleted it.
    public func existingObject<Record: PersistentRecord>(
        with id: Record.ID, of type: Record.Type = Record.self
    ) throws -> Managed<Record> {
        try existingObject(with: id, in: Record.entity)
    }

    /// Returns the object of an entity with an identifier, from the context or from the store.
    ///
    /// - Throws: The errors of ``existingObject(with:of:)``.
    public func existingObject<Record: ManagedRecord>(
        with id: Record.ID, in entity: RecordEntity<Record>
    ) throws -> Managed<Record> {
        try processPendingChanges()
        guard let object = try findObject(with: id, of: entity) else {
            throw PersistenceError(.objectNotFound, "there is no object \(id.rawValue)", entity: entity.name)
        }
        return object
    }

    /// Returns the object with an identifier if the context has it and other code references it; never reads the store.
    ///
    /// The context retains objects with unsaved changes, and holds all other objects like weak references. Swift
    /// retains the object of a variable only until the variable's last use, so an optimized build may release the
    /// object earlier than a debug build. To make sure that this method finds an object, use the object later, or
    /// retain it with `withExtendedLifetime`. ``existingObject(with:of:)`` finds the object in any case.
    public func registeredObject<Record: PersistentRecord>(
        for id: Record.ID, of type: Record.Type = Record.self
    ) -> Managed<Record>? {
        registeredObject(for: id, in: Record.entity)
    }

    /// Returns the object of an entity with an identifier if the context has it and other code references it; never
    /// reads the store.
    public func registeredObject<Record: ManagedRecord>(
        for id: Record.ID, in entity: RecordEntity<Record>
    ) -> Managed<Record>? {
        identityMaps[entity.name]?.object(id.rawValue) as? Managed<Record>
    }

    /// Returns the object that contains the values of a given object after its save.
    ///
    /// This is the given object itself, or the existing object into which a merge policy merged it because both had the
    /// same unique value. The saving context retains this information until ``reset()``; ``SavedChanges/upserted``
    /// contains it too.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if no such object exists, or
    ///   if this context deleted it.
    public func existingObject<Record: ManagedRecord>(
        holding object: Managed<Record>
    ) throws -> Managed<Record> {
        require(object)
        guard object.state == .detached, let raw = successors[object.entityName]?[object.rawID],
            let id = Record.ID(rawValue: raw)
        else { return try existingObject(with: object.id, in: object.recordEntity) }
        return try existingObject(with: id, in: object.recordEntity)
    }

    /// Returns the object with an identifier, or `nil` if no such object exists or this context deleted it.
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

    /// Returns the objects with given identifiers, in the order of the identifiers.
    ///
    /// Objects that do not exist or that this context deleted are omitted. The method executes one statement, or none
    /// if the context has all objects. If `fromStore` is `true`, objects that the context does not have, or has without
    /// unsaved changes, are read from the store, as in a fetch.
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

    /// Returns the objects with given identifiers, for an entity whose record type is known only at run time.
    func objects(withRawIDs ids: [Int64], of entity: String) throws -> [ManagedObject] {
        func objects<Entity: AnyRecordEntity>(_ entity: Entity) throws -> [ManagedObject] {
            try self.objects(withRawIDs: ids, of: entity.typed)
        }
        return try objects(try recordEntity(of: entity))
    }
}
