import StrataCore
import StrataStoreKit

/// A unit of work on records that a context executes.
///
/// The unit of work belongs to a separate context, which is released at its end. It changes objects internally, so that
/// later calls find earlier changes, and returns only records.
struct ContextTransaction: RecordTransaction {
    let context: ConfinedContext
    private let upserting: UpsertingInsertions?

    /// Creates a unit of work.
    ///
    /// - Parameters:
    ///   - context: The context that executes the work.
    ///   - mergePolicy: The policy of the save; if it is `nil`, an object that another save changed makes the save
    ///     throw an error.
    init(context: ConfinedContext, mergePolicy: MergePolicy?) {
        self.context = context
        upserting = UpsertingInsertions(UniquenessResolver(context.propagator), mergePolicy)
    }

    var recordModel: ManagedObjectModel? { context.recordModel }

    /// The identifiers of the remaining objects, by entity and by the identifiers of the new objects that were merged
    /// into them.
    var upserted: [String: [Int64: Int64]] { upserting?.upserted ?? [:] }

    /// Ends the work: redirects references from merged objects to the remaining objects.
    func end() throws { try upserting?.redirectReferences() }

    func insert<Record: ManagedRecord>(
        into entity: RecordEntity<Record>, _ make: (Record.ID) throws -> Record
    ) throws -> Record {
        let object = try context.insert(into: entity, make)
        return try (upserting?.stored(object) ?? object).record
    }

    func insert<Record: ManagedRecord>(_ record: Record) throws {
        let object = try context.insert(record)
        _ = try upserting?.stored(object)
    }

    func fetchGraph<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> RecordGraph<Record> {
        try context.fetchGraph(request)
    }

    func versioned<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Versioned<Record>] {
        try context.fetch(request).map { Versioned(record: $0.record, version: $0.version) }
    }

    func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Record] {
        try context.fetchRecords(request)
    }

    func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> Int { try context.count(request) }

    func values<Record: ManagedRecord>(
        _ selection: StoreSelection, of entity: RecordEntity<Record>
    ) throws -> [[StoredValue]] {
        try context.values(selection, of: entity)
    }

    func versions<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [RecordVersion<Record>] {
        try context.versions(request)
    }

    func edges<Record: ManagedRecord>(
        from ids: [Record.ID], through relationship: ToMany<Record, Record>, of entity: RecordEntity<Record>,
        isUpward: Bool
    ) throws -> [TreeEdge] {
        try context.edges(from: ids, through: relationship, of: entity, isUpward: isUpward)
    }

    func update<Record: ManagedRecord>(
        in entity: RecordEntity<Record>, id: Record.ID, _ change: (inout Record) throws -> Void
    ) throws -> Record {
        let object = try context.existingObject(with: id, in: entity)
        try object.update(change)
        upserting?.note(object)
        return object.record
    }

    func update<Record: ManagedRecord>(
        _ request: FetchRequest<Record>, _ change: (inout Record) throws -> Void
    ) throws -> Int {
        let objects = try context.fetch(request)
        for object in objects {
            try object.update(change)
            upserting?.note(object)
        }
        return objects.count
    }

    func delete<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> Int {
        let objects = try context.fetch(request)
        for object in objects { context.delete(object) }
        return objects.count
    }

    func related<Source: ManagedRecord, Destination: ManagedRecord>(
        _ relationship: ToMany<Source, Destination>, of entity: RecordEntity<Source>, id: Source.ID
    ) throws -> [Destination] {
        try context.objects(of: object(id, of: entity), through: relationship).map(\.record)
    }

    func related<Source: ManagedRecord, Destination: ManagedRecord>(
        _ relationship: ToOne<Source, Destination>, of entity: RecordEntity<Source>, id: Source.ID
    ) throws -> Destination? {
        try context.object(of: object(id, of: entity), through: relationship)?.record
    }

    func count<Source: ManagedRecord, Destination: ManagedRecord>(
        _ relationship: ToMany<Source, Destination>, of entity: RecordEntity<Source>, id: Source.ID
    ) throws -> Int {
        try context.count(of: object(id, of: entity), through: relationship)
    }

    func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ ids: [Destination.ID], to relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws {
        try context.add(ends(ids, of: relationship), of: object(id, of: entity), through: relationship)
    }

    func remove<Source: ManagedRecord, Destination: ManagedRecord>(
        _ related: Destination.ID, from relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws {
        try context.remove(end(related, of: relationship), of: object(id, of: entity), through: relationship)
    }

    func move<Source: ManagedRecord, Destination: ManagedRecord>(
        _ related: Destination.ID, to index: Int, in relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws {
        try context.move(end(related, of: relationship), to: index, of: object(id, of: entity), through: relationship)
    }

    func transaction<Result>(_ body: (any RecordTransaction) throws -> Result) throws -> Result {
        try context.transaction { _ in try body(self) }
    }

    private func object<Record: ManagedRecord>(
        _ id: Record.ID, of entity: RecordEntity<Record>
    ) throws -> Managed<Record> {
        try context.existingObject(with: id, in: entity)
    }

    /// Returns the object with an identifier that is an end of a relationship.
    private func end<Source: ManagedRecord, Destination: ManagedRecord>(
        _ id: Destination.ID, of relationship: ToMany<Source, Destination>
    ) throws -> Managed<Destination> {
        try object(id, of: try context.reader.destination(of: relationship))
    }

    private func ends<Source: ManagedRecord, Destination: ManagedRecord>(
        _ ids: [Destination.ID], of relationship: ToMany<Source, Destination>
    ) throws -> [Managed<Destination>] {
        let entity = try context.reader.destination(of: relationship)
        return try ids.map { try object($0, of: entity) }
    }
}
