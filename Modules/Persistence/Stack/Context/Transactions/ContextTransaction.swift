import StrataCore

/// A unit of work over values, carried out by a context.
struct ContextTransaction: RecordTransaction {
    let context: ConfinedContext

    func insert<Record: PersistentRecord>(_ type: Record.Type, _ make: (Record.ID) throws -> Record) throws -> Record {
        try context.insert(type, make).record
    }

    func insert<Record: PersistentRecord>(_ record: Record) throws {
        _ = try context.insert(record)
    }

    func fetch<Record: PersistentRecord>(_ request: FetchRequest<Record>) throws -> [Record] {
        try context.fetchRecords(request)
    }

    func count<Record: PersistentRecord>(_ request: FetchRequest<Record>) throws -> Int { try context.count(request) }

    func update<Record: PersistentRecord>(
        _ type: Record.Type, id: Record.ID, _ change: (inout Record) throws -> Void
    ) throws -> Record {
        let object = try context.existingObject(with: id, of: type)
        try object.update(change)
        return object.record
    }

    func update<Record: PersistentRecord>(
        _ request: FetchRequest<Record>, _ change: (inout Record) throws -> Void
    ) throws -> Int {
        let objects = try context.fetch(request)
        for object in objects { try object.update(change) }
        return objects.count
    }

    func delete<Record: PersistentRecord>(_ request: FetchRequest<Record>) throws -> Int {
        let objects = try context.fetch(request)
        for object in objects { context.delete(object) }
        return objects.count
    }

    func related<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToMany<Source, Destination>>, of type: Source.Type, id: Source.ID
    ) throws -> [Destination] {
        try context.objects(relationship, of: object(id, of: type)).map(\.record)
    }

    func related<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToOne<Source, Destination>>, of type: Source.Type, id: Source.ID
    ) throws -> Destination? {
        try context.object(relationship, of: object(id, of: type))?.record
    }

    func count<Source: PersistentRecord, Destination: PersistentRecord>(
        _ relationship: KeyPath<Source.Type, ToMany<Source, Destination>>, of type: Source.Type, id: Source.ID
    ) throws -> Int {
        try context.count(relationship, of: object(id, of: type))
    }

    func add<Source: PersistentRecord, Destination: PersistentRecord>(
        _ ids: [Destination.ID], to relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of type: Source.Type, id: Source.ID
    ) throws {
        try context.add(
            try ids.map { try object($0, of: Destination.self) }, to: relationship, of: object(id, of: type))
    }

    func remove<Source: PersistentRecord, Destination: PersistentRecord>(
        _ related: Destination.ID, from relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of type: Source.Type, id: Source.ID
    ) throws {
        try context.remove(object(related, of: Destination.self), from: relationship, of: object(id, of: type))
    }

    func move<Source: PersistentRecord, Destination: PersistentRecord>(
        _ related: Destination.ID, to index: Int, in relationship: KeyPath<Source.Type, ToMany<Source, Destination>>,
        of type: Source.Type, id: Source.ID
    ) throws {
        try context.move(object(related, of: Destination.self), to: index, in: relationship, of: object(id, of: type))
    }

    func transaction<Result>(_ body: (any RecordTransaction) throws -> Result) throws -> Result {
        try context.transaction { _ in try body(self) }
    }

    private func object<Record: PersistentRecord>(_ id: Record.ID, of type: Record.Type) throws -> Managed<Record> {
        try context.existingObject(with: id, of: type)
    }
}
