import StrataCore

extension ConfinedContext {
    /// Returns an unused identifier for a record that is about to be inserted.
    ///
    /// Contexts reserve identifiers of the store in blocks. An identifier that is not used is lost, and is never
    /// returned again.
    public func newID<Record: PersistentRecord>(for type: Record.Type) throws -> Record.ID {
        try newID(in: Record.entity)
    }

    /// Returns an unused identifier for a record of an entity that is about to be inserted.
    public func newID<Record: ManagedRecord>(in entity: RecordEntity<Record>) throws -> Record.ID {
        let identityMap = try identityMap(of: entity)
        var raw: Int64
        // Skip an identifier that an inserted object of this context has already.
        repeat {
            raw = try identifiers.next(of: identityMap.entity.name)
        } while identityMap.object(raw)?.state == .inserted
        guard let id = Record.ID(rawValue: raw) else {
            throw PersistenceError.identifiersExhausted(identityMap.entity.name)
        }
        return id
    }

    /// Inserts a record; the next save writes it.
    ///
    /// The identifier of an object that is deleted here may be used again. If a pending delete rule may still reach
    /// such an object, the rules are applied first, as before every read.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness`` if the context has an object with
    ///   the identifier, the error of the record's ``LifecycleHooks/awakeFromInsert(_:in:)``, or an error of the reads
    ///   that the delete rules need.
    @discardableResult
    public func insert<Record: ManagedRecord>(_ record: Record) throws -> Managed<Record> {
        // `isPending` is checked first, because the entity's name alone costs a thirtieth of an insert.
        if deletions.isPending, deletions.mayReach(record.recordEntity.name, in: model) { try processPendingChanges() }
        return try insert(record, version: ChangeSet.freshVersion())
    }

    /// Inserts a record that is created with a new identifier.
    ///
    /// - Throws: The error of `make`, or the errors of ``insert(_:)``.
    @discardableResult
    public func insert<Record: PersistentRecord>(
        _ type: Record.Type = Record.self, _ make: (Record.ID) throws -> Record
    ) throws -> Managed<Record> {
        try insert(into: Record.entity, make)
    }

    /// Inserts a record of an entity that is created with a new identifier.
    ///
    /// - Throws: The error of `make`, or the errors of ``insert(_:)``.
    @discardableResult
    public func insert<Record: ManagedRecord>(
        into entity: RecordEntity<Record>, _ make: (Record.ID) throws -> Record
    ) throws -> Managed<Record> {
        let id = try newID(in: entity)
        // No deletion reaches a record with a new identifier.
        guard deletions.isPending else {
            let record = try make(id)
            return try insert(record, version: ChangeSet.freshVersion(), isNumbered: record.id == id)
        }
        let record = try make(id)
        return try record.id == id
            ? insert(record, version: ChangeSet.freshVersion(), isNumbered: true) : insert(record)
    }

    /// Inserts a record with a version.
    ///
    /// `isNew` is false for a record that a child context inserted, since its hook ran there. `isNumbered` indicates
    /// that the identifier was drawn for the record; the identifier is then also its position in the order of files.
    @discardableResult
    func insert<Record: ManagedRecord>(
        _ record: Record, version: Int64, isNew: Bool = true, isNumbered: Bool = false
    ) throws -> Managed<Record> {
        let identityMap = try identityMap(of: record.recordEntity)
        var record = record
        if identityMap.entity.keepsOrder {
            record = try record.positioned {
                .integer(isNumbered ? record.id.rawValue : try identifiers.next(of: identityMap.entity.name))
            }
        }
        if let object = identityMap.object(record.id.rawValue), object.state != .detached, object.state != .deleted {
            throw PersistenceError.taken(identityMap.entity, record.id.rawValue)
        }
        try settleDeletion(of: identityMap, record.id.rawValue)
        let object = Managed(inserting: record, version: version, ownership: identityMap.ownership)
        identifiers.skip(object.rawID, of: identityMap.entity.name)
        identityMap.register(object)
        identityMap.enter(object)
        if isNew, identityMap.traits.hasHooks {
            do {
                try call(.awakeFromInsert, on: object)
            } catch {
                discard(object, identityMap)
                throw error
            }
        }
        forgetPrefetched(of: identityMap.entity.name)
        prefetched.forget(newOwner: object)
        if identityMap.traits.watchesValues { didChange(object) }
        hooks.round?.touched(object)
        eventSink?(.inserted(entity: identityMap.entity.name, id: object.rawID))
        return object
    }

    /// Applies the delete rules before the identifier of a deleted object is used again.
    ///
    /// References to the deleted object must not become references to the new one.
    private func settleDeletion(of identityMap: IdentityMap, _ id: Int64) throws {
        let name = identityMap.entity.name
        guard identityMap.deleted[id] != nil || deletions.isDiscarded(id, of: name) else { return }
        try processPendingChanges()
        deletions.forgetDiscarded(id, of: name)
        for join in pendingJoins.keys { pendingJoins[join]?.forget(name, id) }
    }

    /// Removes a new object as if it had never been inserted.
    func discard(_ object: ManagedObject, _ identityMap: IdentityMap) {
        identityMap.move(object, to: .detached)
        identityMap.forget(object)
    }
}
