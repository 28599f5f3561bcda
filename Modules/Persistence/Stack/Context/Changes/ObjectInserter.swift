import StrataCore
import StrataStoreKit

/// The insertion of new objects into a context.
///
/// The inserter has no variable state; the reserved identifiers are in `IdentifierBlocks`. It is confined to the
/// context's queue.
struct ObjectInserter {
    let identifiers: IdentifierBlocks
    private let propagator: ChangePropagator
    // These references are stored: to follow them from the propagator took a hundredth of the time of an insert.
    private let reader: ObjectReader
    private let events: ContextEvents

    init(_ propagator: ChangePropagator, identifiers: IdentifierBlocks) {
        self.propagator = propagator
        self.identifiers = identifiers
        reader = propagator.reader
        events = propagator.events
    }

    private var registry: ObjectRegistry { reader.registry }
    private var pending: PendingChanges { reader.pending }
    private var readAhead: ReadAheadData { reader.readAhead }
    private var hooks: HookRunner { reader.hooks }

    /// Returns an unused identifier for a record of an entity to be inserted.
    func newID<Record: ManagedRecord>(in entity: RecordEntity<Record>) throws -> Record.ID {
        let identityMap = try registry.identityMap(of: entity)
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

    /// Inserts a record, and first applies pending delete rules that could affect references to its identifier.
    func insert<Record: ManagedRecord>(_ record: Record) throws -> Managed<Record> {
        // `isPending` is checked first, because the entity's name alone costs a thirtieth of an insert.
        if pending.deletions.isPending, pending.mayDelete(record.recordEntity.name, in: registry.model) {
            try propagator.processPendingChanges()
        }
        return try insert(record, version: ChangeSet.freshVersion())
    }

    /// Creates a record of an entity with a new identifier and inserts it.
    func insert<Record: ManagedRecord>(
        into entity: RecordEntity<Record>, _ make: (Record.ID) throws -> Record
    ) throws -> Managed<Record> {
        let id = try newID(in: entity)
        // No deletion reaches a record with a new identifier.
        guard pending.deletions.isPending else {
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
        let identityMap = try registry.identityMap(of: record.recordEntity)
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
                try hooks.awakenInserted(object)
            } catch {
                identityMap.detach(object)
                throw error
            }
        }
        readAhead.forgetLists(of: identityMap.entity.name)
        readAhead.forgetLists(ofNewOwner: object)
        if identityMap.traits.watchesValues { object.didChange() }
        hooks.noteChange(of: object)
        events.send(.inserted(entity: identityMap.entity.name, id: object.rawID))
        return object
    }

    /// Applies pending delete rules before a new object receives the identifier of a deleted object.
    ///
    /// Otherwise references to the deleted object would become references to the new one.
    private func settleDeletion(of identityMap: IdentityMap, _ id: Int64) throws {
        let name = identityMap.entity.name
        guard identityMap.deleted[id] != nil || pending.deletions.isDiscarded(id, of: name) else { return }
        try propagator.processPendingChanges()
        pending.forgetDiscarded(id, of: name)
    }
}
