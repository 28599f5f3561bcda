// These defaults are for repositories of tests. Repositories over a store on disk implement their own methods.
extension Repository {
    /// Returns a stream of the records that ``fetch(_:)`` returns.
    public func stream(_ query: Query<Record>) -> any AsyncSequence<Record, any Error> & Sendable {
        AsyncThrowingStream<Record, any Error> { continuation in
            let work = Task {
                do {
                    for record in try await fetch(query) { continuation.yield(record) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in work.cancel() }
        }
    }

    /// Returns the number of records that ``fetch(_:)`` returns.
    public func count(_ query: Query<Record>) async throws -> Int { try await fetch(query).count }
}
