import StrataCore
import StrataStoreKit

extension ConfinedContext {
    /// Returns an unused identifier for a record to be inserted.
    ///
    /// A context reserves identifiers in the store in blocks. A returned identifier that is not used is never returned
    /// again.
    public func newID<Record: PersistentRecord>(for type: Record.Type) throws -> Record.ID {
        try newID(in: Record.entity)
    }

    /// Returns an unused identifier for a record of an entity to be inserted.
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

    /// Inserts a record into the context; the next save writes it to the store.
    ///
    /// The record may have the identifier of an object that this context deleted. If pending delete rules could still
    /// affect references to that object, the method applies the rules first, as every read does.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness`` if the context has an object with
    ///   the identifier, the error of ``LifecycleHooks/awakeFromInsert(_:in:)`` of the record type, or an error of the
    ///   reads that the delete rules need.
    @discardableResult
    public func insert<Record: ManagedRecord>(_ record: Record) throws -> Managed<Record> {
        // `isPending` is checked first, because the entity's name alone costs a thirtieth of an insert.
        if deletions.isPending, deletions.mayReach(record.recordEntity.name, in: model) { try processPendingChanges() }
        return try insert(record, version: ChangeSet.freshVersion())
    }

    /// Creates a record with a new identifier and inserts it.
    ///
    /// - Throws: The error of `make`, or the errors of ``insert(_:)``.
    @discardableResult
    public func insert<Record: PersistentRecord>(
        _ type: Record.Type = Record.self, _ make: (Record.ID) throws -> Record
    ) throws -> Managed<Record> {
        try insert(into: Record.entity, make)
    }

    /// Creates a record of an entity with a new identifier and inserts it.
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

    /// Inserts a record with a row version.
    ///
    /// `isNew` is `false` for a record that a child context inserted, because its hook already ran in the child. If
    /// `isNumbered` is `true`, the identifier was reserved for this record; the record's position in the file order is
    /// then equal to its identifier.
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

    /// Applies pending delete rules before a new object receives the identifier of a deleted object.
    ///
    /// Otherwise references to the deleted object would become references to the new one.
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
