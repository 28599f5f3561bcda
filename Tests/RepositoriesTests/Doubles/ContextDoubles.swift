import StrataPersistence

/// Stands in for a context in which nothing succeeds.
struct FailingContext: RecordContext {
    let error: PersistenceError
    func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        throw error
    }
}

/// Stands before a context, and says of each unit of work that it begins.
struct SpyContext: RecordContext {
    let base: any RecordContext
    let willBegin: @Sendable () -> Void
    func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        willBegin()
        return try await base.transaction(mergePolicy: mergePolicy, body)
    }
}
