// For stand-ins: what is kept on disk writes its own.
extension Repository {
    /// The records that ``fetch(_:)`` returns, one after the other.
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

    /// How many records ``fetch(_:)`` returns.
    public func count(_ query: Query<Record>) async throws -> Int { try await fetch(query).count }
}
