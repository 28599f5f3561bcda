import StrataPersistence

/// Stands in for a context: it has these records, whatever it is asked for, and keeps nothing.
struct StubContext: RecordContext {
    let records: @Sendable () throws -> [any PersistentRecord]
    func insert<R: PersistentRecord>(_ type: R.Type, _ make: @Sendable (R.ID) throws -> R) async throws -> R {
        try make(R.ID(storedValue: .integer(Int64(records().count + 1))))
    }
    func fetch<R>(_ request: FetchRequest<R>) async throws -> [R] { try records().compactMap { $0 as? R } }
    func update<R: PersistentRecord>(
        _ type: R.Type, id: R.ID, _ change: @Sendable (inout R) throws -> Void
    ) async throws -> R {
        let found = try await fetch(FetchRequest<R>(id: id)).first
        guard var record = found else { throw PersistenceError(.objectNotFound, "there is none") }
        try change(&record)
        return record
    }
    func delete<R>(_ request: FetchRequest<R>) async throws -> Int { try await fetch(request).count }
}
