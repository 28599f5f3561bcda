import StrataPersistence
import Synchronization

/// Several contexts that take turns: each does one thing at a time, but a store serves several readers at once.
struct ContextPool: RecordContext {
    private final class Turn: Sendable {
        let count = Atomic<Int>(0)
    }

    private let contexts: [ManagedObjectContext]
    private let turn = Turn()

    init(_ container: PersistentContainer, name: String, count: Int) {
        // Each call reads the saved state, so that the contexts need not merge the changes of others.
        contexts = (0..<count).map { container.newBackgroundContext(name: "\(name) \($0)") }
    }

    private var next: ManagedObjectContext {
        contexts[turn.count.wrappingAdd(1, ordering: .relaxed).oldValue % contexts.count]
    }

    @discardableResult
    func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        let context: any RecordContext = next
        return try await context.transaction(mergePolicy: mergePolicy, body)
    }

    func transactionReportingChanges<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> (result: Result, changes: SavedChanges) {
        try await next.transactionReportingChanges(mergePolicy: mergePolicy, body)
    }

    func fetch<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> [Record] {
        let context: any RecordContext = next
        return try await context.fetch(request)
    }

    func stream<Record: ManagedRecord>(_ request: FetchRequest<Record>) -> RecordSequence<Record> {
        let context: any RecordContext = next
        return context.stream(request)
    }

    func count<Record: ManagedRecord>(_ request: FetchRequest<Record>) async throws -> Int {
        let context: any RecordContext = next
        return try await context.count(request)
    }

    func values<Record: ManagedRecord>(
        _ selection: StoreSelection, of entity: RecordEntity<Record>
    ) async throws -> [[StoredValue]] {
        let context: any RecordContext = next
        return try await context.values(selection, of: entity)
    }
}
