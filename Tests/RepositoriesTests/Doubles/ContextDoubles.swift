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

/// Stands beside a context, and counts its units of work.
final class CountingContext: RecordContext {
    let base: any RecordContext
    let count = Guarded(0)
    init(_ base: any RecordContext) { self.base = base }
    func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        count.withLock { $0 += 1 }
        return try await base.transaction(mergePolicy: mergePolicy, body)
    }
}
