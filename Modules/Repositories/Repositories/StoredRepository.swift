public import StrataDomain
public import StrataPersistence

/// The common implementation of the four repositories over a context that reads and saves records as values.
///
/// The context may be any `RecordContext`: a `ManagedObjectContext` in an application, or a struct of ten lines in a
/// test.
public protocol StoredRepository: Repository where Record: PersistentRecord {
    /// The context that reads and saves the records.
    var context: any RecordContext { get }
}

extension StoredRepository {
    /// Returns the record with an identifier, or `nil` if the store has none.
    public func find(_ id: Record.ID) async throws -> Record? {
        try await context.fetch(FetchRequest<Record>(id: id)).first
    }

    /// Returns the records that a query selects.
    public func fetch(_ query: Query<Record>) async throws -> [Record] {
        try await context.fetch(query.request())
    }

    /// Returns a stream of the records that a query selects, all from one snapshot of the store.
    public func stream(_ query: Query<Record>) -> any AsyncSequence<Record, any Error> & Sendable {
        do {
            return context.stream(try query.request())
        } catch {
            return AsyncThrowingStream<Record, any Error> { $0.finish(throwing: error) }
        }
    }

    /// Returns the number of records that a query selects.
    public func count(_ query: Query<Record>) async throws -> Int {
        try await context.count(query.request())
    }

    /// Applies a change to the record with an identifier, saves it, and returns the saved record.
    ///
    /// If another writer changed the record first, the repository calls `change` again with the current values.
    ///
    /// - Throws: The error of `change`, or `DomainError` with the code `notFound` if the store has no such record, and
    ///   `identifierChanged` if `change` replaced the record's identifier.
    @discardableResult
    public func update(_ id: Record.ID, _ change: @Sendable (inout Record) throws -> Void) async throws -> Record {
        do {
            return try await context.update(Record.self, id: id) { record in
                try change(&record)
                guard record.id == id else { throw DomainError.identifierChanged(Record.self, from: id, to: record.id) }
            }
        } catch let error as PersistenceError where error.code == .objectNotFound {
            throw DomainError.notFound(Record.self, id: id)
        }
    }

    /// Deletes the record with an identifier, and returns `false` if the store has none.
    @discardableResult
    public func delete(_ id: Record.ID) async throws -> Bool {
        try await context.delete(FetchRequest<Record>(id: id)) > 0
    }

    /// Deletes every record and returns the number of deleted records.
    @discardableResult
    public func deleteAll() async throws -> Int {
        try await context.delete(FetchRequest<Record>())
    }
}

extension Query where Record: PersistentRecord {
    /// Returns the query as a `FetchRequest` for the context.
    func request() throws -> FetchRequest<Record> {
        try validate()
        return FetchRequest(
            where: predicate, sort: sort.map { SortKey($0.path, order: $0.order) }, limit: limit, offset: offset)
    }
}
