public import StrataPersistence

/// A replacement for a context in tests of code that uses values: records in memory, with all rules of their model.
///
/// ```swift
/// let records = try InMemoryRecords(ReferenceModel.model(), [boss, employee])
/// let warehouse = Warehouse(records: records)
/// ```
///
/// Filters, order, uniqueness, validation, delete rules, conflicts and units of work are those of the real stack. New
/// identifiers follow the greatest identifier that was assigned. Each instance is independent. A copy of the value
/// references the same records; ``copy()`` creates other records.
///
/// Use this type in tests of code that takes any `RecordContext`. Code that takes a `ManagedObjectContext` or a
/// container needs ``PreparedStack`` or ``TemporaryStack`` instead.
///
/// The value contains a complete stack with a store in memory, and needs no cleanup. Several tasks can use it at the
/// same time; units of work wait for each other as on a background context.
///
/// ## Topics
///
/// ### Creating records
///
/// - ``init(_:_:)``
/// - ``copy()``
///
/// ### Running units of work
///
/// - ``transaction(mergePolicy:_:)``
/// - ``transactionReportingChanges(mergePolicy:_:)``
public struct InMemoryRecords: RecordContext {
    private let container: PersistentContainer
    private let store: InMemoryStore

    /// Creates records of a model.
    ///
    /// All records are inserted in one unit of work, so they can reference each other in any order. If a record breaks
    /// a rule, none is inserted. The initializer waits for the insertion on the calling thread.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - records: The initial records with their identifiers.
    /// - Throws: `PersistenceError` if the records break the model's rules.
    public init(_ model: ManagedObjectModel, _ records: [any ManagedRecord] = []) throws {
        try self.init(InMemoryStore(model: model))
        try container.backgroundContext.performTransactionAndWait { context in
            for record in records { _ = try Self.insert(record, into: context) }
        }
    }

    /// Inserts a record of a type that is known only at run time.
    private static func insert<Record: ManagedRecord>(_ record: Record, into context: ConfinedContext) throws {
        _ = try context.insert(record)
    }

    /// Creates records from the rows of a store, which the new value owns.
    private init(_ store: InMemoryStore) throws {
        self.store = store
        container = try PersistentContainer(
            model: store.model, .custom("in-memory records") { _ in store }, mainQueue: .private)
    }

    /// Returns a copy of the records; later changes of the original and of the copy do not affect each other.
    ///
    /// Fill one value before the tests, and let each test use a copy. The rows are shared until one copy changes them.
    ///
    /// - Throws: `PersistenceError` if the model cannot be used.
    /// - Complexity: Constant.
    public func copy() throws -> InMemoryRecords { try InMemoryRecords(store.copy()) }

    /// Runs a unit of work, and saves all or none of the changes of `body` when it returns.
    ///
    /// The closure runs on the queue of a background context. It must not wait for another unit of work of the same
    /// records.
    ///
    /// - Parameters:
    ///   - mergePolicy: The handling of records that another task changed after `body` read them. If it is `nil`, such
    ///     a record is an error.
    ///   - body: A closure that reads and changes records.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`; `PersistenceError` for a violated rule; `CancellationError` if the task was
    ///   canceled.
    @discardableResult
    public func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        let context: any RecordContext = container.backgroundContext
        return try await context.transaction(mergePolicy: mergePolicy, body)
    }

    /// Runs a unit of work, and returns its result with the saved changes.
    ///
    /// Use this method to check the rows that a unit of work wrote, by entity name and identifier.
    ///
    /// - Parameters:
    ///   - mergePolicy: The handling of conflicts, as for `transaction(mergePolicy:_:)`.
    ///   - body: A closure that reads and changes records.
    /// - Returns: The result of `body`, and the saved changes.
    /// - Throws: The errors of `transaction(mergePolicy:_:)`.
    public func transactionReportingChanges<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> (result: Result, changes: SavedChanges) {
        try await container.backgroundContext.transactionReportingChanges(mergePolicy: mergePolicy, body)
    }
}
