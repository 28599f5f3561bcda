import StrataCore
import StrataStoreKit

/// The execution of fetch requests and lookups of a context.
///
/// Before each read, the fetcher applies pending delete rules, and after it, it reports an event. It has no state of
/// its own. It is confined to the context's queue.
struct Fetcher {
    private let propagator: ChangePropagator

    init(_ propagator: ChangePropagator) {
        self.propagator = propagator
    }

    private var reader: ObjectReader { propagator.reader }
    private var registry: ObjectRegistry { propagator.registry }
    private var readAhead: ReadAheadData { reader.readAhead }
    private var events: ContextEvents { propagator.events }

    // MARK: Requests

    /// Fetches the objects that a request selects, including unsaved changes.
    func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Managed<Record>] {
        let lowered = try request.lowered()
        let relationships = try request.prefetching.map { try $0.resolved(in: request.entity) }
        try reader.validate(relationships, of: request.entity.description)
        try propagator.prepareToRead()
        let objects = try reader.fetch(lowered, of: request.entity, request.onUnreadableRow)
        if !relationships.isEmpty { try reader.prefetch(relationships, for: objects) }
        events.send(.fetched(entity: lowered.entity, count: objects.count))
        return objects
    }

    /// Fetches the records that a request selects, including unsaved changes; if possible, without creating objects.
    func fetchRecords<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Record] {
        guard request.prefetching.isEmpty else {
            let objects = try fetch(request)
            // The objects are retained, so that the unit of work finds them and their related objects without another
            // read.
            readAhead.hold(objects)
            return objects.map(\.record)
        }
        let lowered = try request.lowered()
        try registry.requireKind(of: request.entity)
        try propagator.prepareToRead()
        guard reader.parent == nil, try !reader.isTouchedByChanges(lowered) else {
            let records = try reader.fetch(lowered, of: request.entity, request.onUnreadableRow).map(\.record)
            events.send(.fetched(entity: lowered.entity, count: records.count))
            return records
        }
        var records: [Record] = []
        let append = request.entity.append
        let report = request.onUnreadableRow
        var reading = CancellableReading()
        try reader.source.fetch(lowered) { row in
            try reading.next()
            try readingRow(report) { try append(row, &records) }
            return .next
        }
        events.send(.fetched(entity: lowered.entity, count: records.count))
        return records
    }

    /// Fetches only the identifiers of the objects that a request selects, including unsaved changes.
    func fetchIdentifiers<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Record.ID] {
        let lowered = try request.lowered()
        try registry.requireKind(of: request.entity)
        try propagator.prepareToRead()
        let identifiers = try reader.identifiers(lowered, of: request.entity)
        events.send(.fetched(entity: lowered.entity, count: identifiers.count))
        return try identifiers.map { try id($0, of: request.entity) }
    }

    /// Returns the number of objects that a request selects, including unsaved changes.
    func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> Int {
        let lowered = try request.lowered()
        try registry.requireKind(of: request.entity)
        try propagator.prepareToRead()
        let count = try reader.count(lowered, of: request.entity)
        events.send(.fetched(entity: lowered.entity, count: count))
        return count
    }

    /// Returns the values of each result of a selection, including unsaved changes.
    func values<Record: ManagedRecord>(
        _ selection: StoreSelection, of entity: RecordEntity<Record>
    ) throws -> [[StoredValue]] {
        try registry.requireKind(of: entity)
        try propagator.prepareToRead()
        let results = try reader.values(selection, of: entity)
        events.send(.fetched(entity: entity.name, count: results.count))
        return results
    }

    /// Returns the identifiers and versions of the objects that a request selects.
    func versions<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [RecordVersion<Record>] {
        let lowered = try request.lowered()
        try registry.requireKind(of: request.entity)
        try propagator.prepareToRead()
        let versions = try reader.versions(lowered, of: request.entity)
        events.send(.fetched(entity: lowered.entity, count: versions.count))
        return try versions.map { RecordVersion(id: try id($0.id, of: request.entity), version: $0.version) }
    }

    /// Returns the identifier of a row with its Swift type.
    private func id<Record: ManagedRecord>(_ raw: Int64, of entity: RecordEntity<Record>) throws -> Record.ID {
        guard let id = Record.ID(rawValue: raw) else {
            throw PersistenceError(
                .corrupt, "a row has the identifier \(raw), which is out of range", entity: entity.name)
        }
        return id
    }

    /// Returns the references from objects to their parents that are found from some objects.
    func edges<Record: ManagedRecord>(
        from ids: [Int64], through relationship: ToMany<Record, Record>, of entity: RecordEntity<Record>, isUpward: Bool
    ) throws -> [TreeEdge] {
        try registry.requireKind(of: entity)
        try propagator.prepareToRead()
        let edges = try reader.edges(from: ids, through: relationship.name, of: entity, isUpward: isUpward)
        events.send(.fetched(entity: entity.name, count: edges.count))
        return edges
    }

    /// Fetches objects and passes them to `body` in batches, so that only one batch is in memory.
    func fetch<Record: ManagedRecord>(
        _ request: FetchRequest<Record>, inBatchesOf batchSize: Int, _ body: ([Managed<Record>]) throws -> Void
    ) throws {
        guard batchSize >= 1 else {
            throw PersistenceError(
                .invalidRequest, "the batch size is \(batchSize), but must be at least 1", entity: request.entity.name)
        }
        let lowered = try request.lowered()
        let relationships = try request.prefetching.map { try $0.resolved(in: request.entity) }
        try reader.validate(relationships, of: request.entity.description)
        try propagator.prepareToRead()
        var ids = try reader.identifiers(lowered, of: request.entity)[...]
        events.send(.fetched(entity: lowered.entity, count: ids.count))
        while !ids.isEmpty {
            let objects = try reader.objects(
                withRawIDs: Array(ids.prefix(batchSize)), of: request.entity, fromStore: true, request.onUnreadableRow)
            ids = ids.dropFirst(batchSize)
            let held = readAhead.heldObjects
            if !relationships.isEmpty { try reader.prefetch(relationships, for: objects) }
            try body(objects)
            // Objects that were read ahead for one batch are released before the next; lists may have become wrong
            // meanwhile.
            readAhead.forgetLists(holding: held)
            try propagator.prepareToRead()
        }
    }

    /// Returns the records that a request selects, with the records of the relationships that it prefetches.
    func fetchGraph<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> RecordGraph<Record> {
        let relationships = try request.prefetching.map { try $0.resolved(in: request.entity) }
        try reader.validate(relationships, of: request.entity.description)
        var plain = request
        plain.prefetching = []
        let objects = try fetch(plain)
        var content = RecordGraphContent()
        // An object without another reference would be released and read again.
        var held: [ManagedObject] = []
        try add(relationships, of: objects, request.entity.description, to: &content, &held)
        return withExtendedLifetime(held) { RecordGraph(records: objects.map(\.record), content) }
    }

    private func add(
        _ relationships: [PrefetchedRelationship], of objects: [ManagedObject], _ entity: EntityDescription,
        to content: inout RecordGraphContent, _ held: inout [ManagedObject]
    ) throws {
        for wanted in relationships {
            let (relationship, destination, place) = try registry.model.relationship(wanted.name, of: entity)
            let related = objects.isEmpty ? [:] : try reader.relatedObjects(of: objects, relationship, place)
            try content.add(related, of: objects, relationship, of: entity.name)
            let ends = ObjectReader.distinct(related)
            held += ends
            try add(wanted.nested, of: ends, destination, to: &content, &held)
        }
    }

    // MARK: Lookup

    /// Returns the object of an entity with an identifier, from the context or from the store.
    func existingObject<Record: ManagedRecord>(
        with id: Record.ID, in entity: RecordEntity<Record>
    ) throws -> Managed<Record> {
        try propagator.processPendingChanges()
        guard let object = try findObject(with: id, of: entity) else {
            throw PersistenceError(.objectNotFound, "there is no object \(id.rawValue)", entity: entity.name)
        }
        return object
    }

    /// Returns the object that contains the values of a given object after its save.
    func existingObject<Record: ManagedRecord>(holding object: Managed<Record>) throws -> Managed<Record> {
        registry.require(object)
        guard object.state == .detached, let raw = propagator.pending.successor(of: object),
            let id = Record.ID(rawValue: raw)
        else { return try existingObject(with: object.id, in: object.recordEntity) }
        return try existingObject(with: id, in: object.recordEntity)
    }

    /// Returns the object with an identifier, or `nil` if no such object exists or this context deleted it.
    func findObject<Record: ManagedRecord>(
        with id: Record.ID, of entity: RecordEntity<Record>
    ) throws -> Managed<Record>? {
        try propagator.pending.throwMergeFailure()
        return try reader.findObject(with: id, of: entity)
    }

    /// Marks the object of an entity with an identifier for deletion by the next save.
    ///
    /// - Returns: `false` if no such object exists; otherwise `true`.
    func delete<Record: ManagedRecord>(_ id: Record.ID, from entity: RecordEntity<Record>) throws -> Bool {
        // The read must see the effects of a pending deletion of a parent object.
        try propagator.processPendingChanges()
        guard let object = try findObject(with: id, of: entity) else { return false }
        propagator.delete(object)
        return true
    }
}
