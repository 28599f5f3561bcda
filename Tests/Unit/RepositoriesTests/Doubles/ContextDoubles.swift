import StrataPersistence

/// A test double of a context whose units of work all fail.
struct FailingContext: RecordContext {
    let error: PersistenceError
    func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        throw error
    }
}

/// A wrapper around a context, which reports the beginning of each unit of work.
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
