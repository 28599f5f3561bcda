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
    ///
    /// - Parameter id: The identifier of the record.
    /// - Returns: The saved record.
    /// - Throws: `PersistenceError` if the store cannot be read.
    public func find(_ id: Record.ID) async throws -> Record? {
        try await context.fetch(FetchRequest<Record>(id: id)).first
    }

    /// Returns the records that a query selects.
    ///
    /// - Parameter query: The query, whose predicate is translated for the store.
    /// - Returns: The saved records, all in memory at the same time.
    /// - Throws: `DomainError` with the code `invalidQuery` if the limit or offset is negative, or `PersistenceError`
    ///   if the store cannot be read.
    public func fetch(_ query: Query<Record>) async throws -> [Record] {
        try await context.fetch(query.request())
    }

    /// Returns a stream of the records that a query selects, all from one snapshot of the store.
    ///
    /// The records are read in parts while the caller iterates, so that memory does not grow with their number. An
    /// invalid query ends the stream with an error.
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
    /// `change` may therefore run several times, and must have no other effects.
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
    ///
    /// The delete rules of the model apply to related records. The call is one unit of work.
    @discardableResult
    public func delete(_ id: Record.ID) async throws -> Bool {
        try await context.delete(FetchRequest<Record>(id: id)) > 0
    }

    /// Deletes every record and returns the number of deleted records.
    ///
    /// The delete rules of the model apply to related records. If one record cannot be deleted, none is.
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
