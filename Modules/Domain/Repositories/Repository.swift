/// A source of records of one type, independent of its storage.
///
/// A repository accepts and returns values only: structs and identifiers. A caller may therefore use it from any task,
/// and a test may replace it with a struct of a few lines. Callers hold `any ColorRepository` or a similar existential.
///
/// Every method may throw the errors of its storage. The methods of the extensions call only the requirements below, so
/// a repository that a test provides need not implement them.
///
/// Each method is a complete unit of work: it reads the saved state, and its changes are saved when it returns. Two
/// calls are two units of work. To change a record, use ``update(_:_:)`` instead of reading and writing it in two
/// calls, so that a change of another writer in between is not overwritten.
///
/// ## Topics
///
/// ### Reading one record
///
/// - ``find(_:)``
/// - ``get(_:)``
///
/// ### Reading several records
///
/// - ``fetch(_:)``
/// - ``fetch()``
/// - ``stream(_:)``
/// - ``stream()``
/// - ``Query``
///
/// ### Counting
///
/// - ``count(_:)``
/// - ``count()``
///
/// ### Changing
///
/// - ``update(_:_:)``
/// - ``delete(_:)``
/// - ``deleteAll()``
public protocol Repository<Record>: Sendable {
    /// The value type that the repository returns.
    associatedtype Record: Identifiable & Sendable where Record.ID: Sendable

    /// Returns the record with this identifier, or `nil` if the repository has none.
    ///
    /// Use ``get(_:)`` if a missing record is an error.
    func find(_ id: Record.ID) async throws -> Record?

    /// Returns all records that a query selects.
    ///
    /// All records are in memory at the same time. Use a limit or ``stream(_:)`` if their number is unknown.
    ///
    /// - Throws: ``DomainError`` with the code `invalidQuery` if the limit or offset is negative.
    func fetch(_ query: Query<Record>) async throws -> [Record]

    /// Returns a stream of the records that a query selects, for results that are too large for memory.
    ///
    /// An error that ``fetch(_:)`` would throw ends the stream. If the caller leaves the loop early, the stream cancels
    /// its work. The default implementation calls ``fetch(_:)``, which suits a test repository that has its records in
    /// memory.
    func stream(_ query: Query<Record>) -> any AsyncSequence<Record, any Error> & Sendable

    /// Returns the number of records that ``fetch(_:)`` would return for the same query.
    ///
    /// The default implementation calls ``fetch(_:)``.
    ///
    /// - Throws: ``DomainError`` with the code `invalidQuery` if the limit or offset is negative.
    func count(_ query: Query<Record>) async throws -> Int

    /// Applies a change to the record with this identifier, saves it, and returns the saved record.
    ///
    /// - Parameters:
    ///   - id: The identifier of the record.
    ///   - change: A closure that changes the record. It may be called more than once, with the current record each
    ///     time, and must therefore have no other effects.
    /// - Returns: The record as it was saved.
    /// - Throws: ``DomainError`` with the code `notFound`; the error of `change`, in which case nothing is saved; or
    ///   the storage's error if the changed record is invalid.
    @discardableResult
    func update(_ id: Record.ID, _ change: @Sendable (inout Record) throws -> Void) async throws -> Record

    /// Deletes the record with this identifier, and returns `false` if the repository has none.
    ///
    /// A second deletion of the same record is therefore not an error.
    @discardableResult
    func delete(_ id: Record.ID) async throws -> Bool

    /// Deletes every record and returns the number of deleted records.
    ///
    /// - Returns: The number of deleted records; 0 if the repository is empty.
    @discardableResult
    func deleteAll() async throws -> Int
}

extension Repository {
    /// Returns the record with this identifier.
    ///
    /// - Throws: ``DomainError`` with the code `notFound` if the repository has no such record.
    public func get(_ id: Record.ID) async throws -> Record {
        guard let record = try await find(id) else { throw DomainError.notFound(Record.self, id: id) }
        return record
    }

    /// Returns every record by ascending id.
    public func fetch() async throws -> [Record] { try await fetch(.all) }

    /// Returns a stream of every record by ascending id.
    public func stream() -> any AsyncSequence<Record, any Error> & Sendable { stream(.all) }

    /// Returns the number of all records in the repository.
    public func count() async throws -> Int { try await count(.all) }
}
