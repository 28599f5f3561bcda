public import StrataPersistence

/// Stands in for a context in tests of code that speaks values: records in memory, under all rules of their model.
///
/// ```swift
/// let records = try InMemoryRecords(ReferenceModel.model(), [boss, employee])
/// let warehouse = Warehouse(records: records)
/// ```
///
/// Filters, order, uniqueness, validation, delete rules, conflicts and units of work are those of the real stack, and identifiers go on behind the
/// greatest that was given. Each stands alone; a value of it is a reference to the same records, and ``copy()`` makes others.
public struct InMemoryRecords: RecordContext {
    private let container: PersistentContainer
    private let store: InMemoryStore

    /// Makes records of a model.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - records: What there is to begin with, with the identifiers that they have.
    /// - Throws: `PersistenceError` when the records break the model's rules.
    public init(_ model: ManagedObjectModel, _ records: [any ManagedRecord] = []) throws {
        try self.init(InMemoryStore(model: model))
        try container.backgroundContext.performTransactionAndWait { context in
            for record in records { _ = try Self.insert(record, into: context) }
        }
    }

    private static func insert<Record: ManagedRecord>(_ record: Record, into context: ConfinedContext) throws {
        _ = try context.insert(record)
    }

    private init(_ store: InMemoryStore) throws {
        self.store = store
        container = try PersistentContainer(
            model: store.model, .custom("in-memory records") { _ in store }, mainQueue: .private)
    }

    /// The same records once more: neither sees what becomes of the other's.
    ///
    /// - Complexity: Constant.
    /// - Throws: `PersistenceError` when the model cannot be used.
    public func copy() throws -> InMemoryRecords { try InMemoryRecords(store.copy()) }

    /// Runs a unit of work: what `body` changed is kept when it returns, all or nothing.
    ///
    /// - Parameters:
    ///   - mergePolicy: What is done about records that another task changed since `body` read them; `nil` for an error.
    ///   - body: The work.
    /// - Returns: What `body` gives.
    /// - Throws: What `body` throws, or which rule is broken; `CancellationError` when the task was cancelled before.
    @discardableResult
    public func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        let context: any RecordContext = container.backgroundContext
        return try await context.transaction(mergePolicy: mergePolicy, body)
    }

    /// Runs a unit of work, and returns its result with the changes that it kept.
    ///
    /// - Parameters:
    ///   - mergePolicy: As for `transaction(mergePolicy:_:)`.
    ///   - body: The work.
    /// - Returns: What `body` returns, and the changes.
    /// - Throws: As `transaction(mergePolicy:_:)`.
    public func transactionReportingChanges<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> (result: Result, changes: SavedChanges) {
        try await container.backgroundContext.transactionReportingChanges(mergePolicy: mergePolicy, body)
    }
}
