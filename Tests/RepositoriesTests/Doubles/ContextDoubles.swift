import StrataPersistence

/// A context in which every unit of work fails.
struct FailingContext: RecordContext {
    let error: PersistenceError
    func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        throw error
    }
}

/// A context that reports the beginning of each unit of work of another one.
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
