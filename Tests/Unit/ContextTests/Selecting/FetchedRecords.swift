import PersistenceTestSupport
import StrataPersistence

/// A unit of work that a test wrote before selections existed: it fetches records from an array, and does nothing else.
struct FetchedRecords: RecordTransaction {
    private let players: [Player]

    init(_ players: [Player]) {
        self.players = players
    }

    private struct NotSupported: Error {}

    func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Record] {
        let lowered = try request.lowered()
        var records = players
        if case .isIn(_, let ids)? = lowered.condition {
            records = players.filter { ids.contains(.integer($0.id.rawValue)) }
        }
        if !lowered.sort.isEmpty { records.sort { $0.name < $1.name } }
        return records.compactMap { $0 as? Record }
    }

    func insert<Record: ManagedRecord>(
        into entity: RecordEntity<Record>, _ make: (Record.ID) throws -> Record
    ) throws -> Record { throw NotSupported() }
    func insert<Record: ManagedRecord>(_ record: Record) throws { throw NotSupported() }
    func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> Int { players.count }
    func update<Record: ManagedRecord>(
        in entity: RecordEntity<Record>, id: Record.ID, _ change: (inout Record) throws -> Void
    ) throws -> Record { throw NotSupported() }
    func update<Record: ManagedRecord>(
        _ request: FetchRequest<Record>, _ change: (inout Record) throws -> Void
    ) throws -> Int { throw NotSupported() }
    func delete<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> Int { throw NotSupported() }
    func related<Source: ManagedRecord, Destination: ManagedRecord>(
        _ relationship: ToMany<Source, Destination>, of entity: RecordEntity<Source>, id: Source.ID
    ) throws -> [Destination] { throw NotSupported() }
    func related<Source: ManagedRecord, Destination: ManagedRecord>(
        _ relationship: ToOne<Source, Destination>, of entity: RecordEntity<Source>, id: Source.ID
    ) throws -> Destination? { throw NotSupported() }
    func count<Source: ManagedRecord, Destination: ManagedRecord>(
        _ relationship: ToMany<Source, Destination>, of entity: RecordEntity<Source>, id: Source.ID
    ) throws -> Int { throw NotSupported() }
    func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ ids: [Destination.ID], to relationship: ToMany<Source, Destination>, of entity: RecordEntity<Source>,
        id: Source.ID
    ) throws { throw NotSupported() }
    func remove<Source: ManagedRecord, Destination: ManagedRecord>(
        _ related: Destination.ID, from relationship: ToMany<Source, Destination>, of entity: RecordEntity<Source>,
        id: Source.ID
    ) throws { throw NotSupported() }
    func move<Source: ManagedRecord, Destination: ManagedRecord>(
        _ related: Destination.ID, to index: Int, in relationship: ToMany<Source, Destination>,
        of entity: RecordEntity<Source>, id: Source.ID
    ) throws { throw NotSupported() }
    func transaction<Result>(_ body: (any RecordTransaction) throws -> Result) throws -> Result { try body(self) }
}
