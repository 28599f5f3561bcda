/// What every repository does, whatever it keeps its records in.
///
/// A repository speaks values only: structs and identifiers go in and come out, so it can be used from any task,
/// and a struct of a few lines stands in for it in a test. Callers hold `any ColorRepository` or one of its siblings.
///
/// Every method may throw what its storage throws. The conveniences in extensions are made of the requirements
/// below, so a stand-in need not write them.
public protocol Repository<Record>: Sendable {
    /// The value type that the repository returns.
    associatedtype Record: Identifiable & Sendable where Record.ID: Sendable

    /// The record with this identifier, or nil where there is none.
    func find(_ id: Record.ID) async throws -> Record?

    /// The records that a query selects, all at once.
    ///
    /// - Throws: ``DomainError`` with the code `invalidQuery` where limit or offset is negative.
    func fetch(_ query: Query<Record>) async throws -> [Record]

    /// The records that a query selects, one after the other, for results too large to hold.
    ///
    /// What ``fetch(_:)`` would throw ends the stream. Ending the loop early ends the work behind it.
    /// Made of ``fetch(_:)`` unless written: right for a stand-in, whose records are in memory anyway.
    func stream(_ query: Query<Record>) -> any AsyncSequence<Record, any Error> & Sendable

    /// How many records ``fetch(_:)`` would return for the same query.
    ///
    /// Made of ``fetch(_:)`` unless written.
    ///
    /// - Throws: ``DomainError`` with the code `invalidQuery` where limit or offset is negative.
    func count(_ query: Query<Record>) async throws -> Int

    /// Changes the record with this identifier and returns it as it was saved.
    ///
    /// - Throws: ``DomainError`` with the code `notFound`; what `change` throws, and then nothing is saved;
    ///   and the storage's error where the changed record is invalid.
    @discardableResult
    func update(_ id: Record.ID, _ change: @Sendable (inout Record) throws -> Void) async throws -> Record

    /// Deletes the record with this identifier, and returns false where there was none.
    ///
    /// Deleting twice is therefore harmless.
    @discardableResult
    func delete(_ id: Record.ID) async throws -> Bool

    /// Deletes every record and returns how many there were.
    @discardableResult
    func deleteAll() async throws -> Int
}

extension Repository {
    /// The record with this identifier.
    ///
    /// - Throws: ``DomainError`` with the code `notFound` where there is none.
    public func get(_ id: Record.ID) async throws -> Record {
        guard let record = try await find(id) else { throw DomainError.notFound(Record.self, id: id) }
        return record
    }

    /// Every record, by ascending id.
    public func fetch() async throws -> [Record] { try await fetch(.all) }

    /// Every record, by ascending id, one after the other.
    public func stream() -> any AsyncSequence<Record, any Error> & Sendable { stream(.all) }

    /// How many records there are.
    public func count() async throws -> Int { try await count(.all) }
}
