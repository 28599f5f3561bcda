public import StrataDomain
public import StrataPersistence

/// What the four repositories have in common: a context that speaks values.
///
/// Takes any `RecordContext`: a `ManagedObjectContext` in an application, a struct of ten lines in a test.
public protocol StoredRepository: Repository where Record: PersistentRecord {
    /// Where the records are kept.
    var context: any RecordContext { get }
}

extension StoredRepository {
    /// The record with an identifier, or `nil` when there is none.
    public func find(_ id: Record.ID) async throws -> Record? {
        try await context.fetch(FetchRequest<Record>(id: id)).first
    }

    /// The records a query selects.
    public func fetch(_ query: Query<Record>) async throws -> [Record] {
        try await context.fetch(query.request())
    }

    /// The records a query selects, one after the other, all from one state of the store.
    public func stream(_ query: Query<Record>) -> any AsyncSequence<Record, any Error> & Sendable {
        do {
            return context.stream(try query.request())
        } catch {
            return AsyncThrowingStream<Record, any Error> { $0.finish(throwing: error) }
        }
    }

    /// The number of records a query selects.
    public func count(_ query: Query<Record>) async throws -> Int {
        try await context.count(query.request())
    }

    /// Changes the record with an identifier and saves it; `change` may run again, on fresh values, when somebody else was faster.
    ///
    /// - Throws: `DomainError` with the code `notFound`, or `identifierChanged` where another record was put in its place.
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

    /// Deletes the record with an identifier; false when there was none.
    @discardableResult
    public func delete(_ id: Record.ID) async throws -> Bool {
        try await context.delete(FetchRequest<Record>(id: id)) > 0
    }

    /// Deletes every record and gives their number.
    @discardableResult
    public func deleteAll() async throws -> Int {
        try await context.delete(FetchRequest<Record>())
    }
}

extension Query where Record: PersistentRecord {
    /// The query as Persistence understands it.
    func request() throws -> FetchRequest<Record> {
        try validate()
        return FetchRequest(
            where: predicate, sort: sort.map { SortKey($0.path, order: $0.order) }, limit: limit, offset: offset)
    }
}
