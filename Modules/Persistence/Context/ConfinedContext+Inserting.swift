extension ConfinedContext {
    /// An identifier nobody was given, for a record that is about to be inserted.
    ///
    /// Contexts take identifiers from the store in blocks; one that is not used is lost, not given again.
    public func newID<Record: PersistentRecord>(for type: Record.Type = Record.self) throws -> Record.ID {
        let register = try register(of: type)
        var raw: Int64
        // One that the context has already, inserted with an identifier of its own, is nobody else's.
        repeat { raw = try identifiers.next(of: register.entity.name) } while register.object(raw)?.state == .inserted
        guard let id = Record.ID(rawValue: raw) else {
            throw PersistenceError.identifiersExhausted(register.entity.name)
        }
        return id
    }

    /// Inserts a record; the next save writes it.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness`` when the context has an object with its identifier, or
    ///   what the record's own ``LifecycleHooks/awakeFromInsert(_:in:)`` throws.
    @discardableResult
    public func insert<Record: PersistentRecord>(_ record: Record) throws -> Managed<Record> {
        try insert(record, version: ChangeSet.freshVersion())
    }

    /// Inserts a record made with a new identifier.
    @discardableResult
    public func insert<Record: PersistentRecord>(
        _ type: Record.Type = Record.self, _ make: (Record.ID) throws -> Record
    ) throws -> Managed<Record> {
        try insert(try make(try newID(for: type)))
    }

    /// Inserts a record; one that a child inserted, and whose hook ran there, with `isNew` false.
    @discardableResult
    func insert<Record: PersistentRecord>(
        _ record: Record, version: Int64, isNew: Bool = true
    ) throws -> Managed<Record> {
        let register = try register(of: Record.self)
        if let object = register.object(record.id.rawValue), object.state != .detached, object.state != .deleted {
            throw PersistenceError.taken(register.entity, record.id.rawValue)
        }
        try settleDeletion(of: register, record.id.rawValue)
        let object = Managed(inserting: record, version: version, home: register.home)
        identifiers.skip(object.rawID, of: register.entity.name)
        register.register(object)
        register.enter(object)
        if isNew, register.traits.hasHooks {
            do {
                try object.run(.awakeFromInsert)
            } catch {
                discard(object, register)
                throw error
            }
        }
        forgetPrefetched(of: register.entity.name)
        if !register.exclusiveColumns.isEmpty { didChange(object) }
        hookRound?.touched(object)
        eventSink?(.inserted(entity: register.entity.name, id: object.rawID))
        return object
    }

    /// Before an identifier is used again: who points to the deleted object that had it is not to point to the new one.
    private func settleDeletion(of register: IdentityMap, _ id: Int64) throws {
        let name = register.entity.name
        guard register.deleted[id] != nil || discarded[name]?[id] != nil else { return }
        try processPendingChanges()
        discarded[name]?[id] = nil
        for join in pendingJoins.keys { pendingJoins[join]?.forget(name, id) }
    }

    /// Takes a new object out as if it had never been inserted.
    func discard(_ object: ManagedObject, _ register: IdentityMap) {
        register.move(object, to: .detached)
        register.forget(object)
    }
}
