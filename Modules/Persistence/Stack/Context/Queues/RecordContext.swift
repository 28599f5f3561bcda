import StrataCore

/// What repositories need of a context: values in, values out.
///
/// ``ManagedObjectContext`` conforms; in a test a struct of ten lines does. Every call is a whole unit of work: it sees what is saved, and what it
/// changes is saved when it returns. A context's calls throw `CancellationError` in a cancelled task; a service that wants to finish what it began
/// does that in a task of its own.
public protocol RecordContext: Sendable {
    /// Makes a record with a new identifier and saves it. `make` may run again, when the identifier turns out to be taken.
    func insert<Record: PersistentRecord>(
        _ type: Record.Type, _ make: @Sendable (Record.ID) throws -> Record
    ) async throws -> Record

    /// The records a request selects.
    func fetch<Record: PersistentRecord>(_ request: FetchRequest<Record>) async throws -> [Record]

    /// The records a request selects, one after the other, all from one state of the store.
    ///
    /// Made of ``fetch(_:)`` unless written: right for what fits in memory, as a stand-in's records do.
    func stream<Record: PersistentRecord>(_ request: FetchRequest<Record>) -> AsyncThrowingStream<Record, any Error>

    /// The number of records a request selects.
    ///
    /// Made of ``fetch(_:)`` unless written.
    func count<Record: PersistentRecord>(_ request: FetchRequest<Record>) async throws -> Int

    /// Changes the record with an identifier and saves it. `change` may run again, on fresh values, when somebody else was faster.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` when there is none.
    func update<Record: PersistentRecord>(
        _ type: Record.Type, id: Record.ID, _ change: @Sendable (inout Record) throws -> Void
    ) async throws -> Record

    /// Deletes the records a request selects, by the model's delete rules, and gives their number.
    func delete<Record: PersistentRecord>(_ request: FetchRequest<Record>) async throws -> Int
}

extension RecordContext {
    /// The records that a fetch gives, one after the other.
    public func stream<Record: PersistentRecord>(
        _ request: FetchRequest<Record>
    ) -> AsyncThrowingStream<Record, any Error> {
        fetchedStream(request)
    }

    func fetchedStream<Record: PersistentRecord>(
        _ request: FetchRequest<Record>
    ) -> AsyncThrowingStream<Record, any Error> {
        AsyncThrowingStream { continuation in
            let work = Task {
                do {
                    for record in try await fetch(request) { continuation.yield(record) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in work.cancel() }
        }
    }

    /// The number of records that a fetch gives.
    public func count<Record: PersistentRecord>(_ request: FetchRequest<Record>) async throws -> Int {
        try await fetch(request).count
    }
}
