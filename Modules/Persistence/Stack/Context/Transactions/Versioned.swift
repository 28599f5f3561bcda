import StrataCore

/// A record with the version of its row.
///
/// The version increases with each save that changes the row. A service can send it to clients as an ETag:
///
/// ```swift
/// guard let found = try await records.findVersioned(Item.self, id: id) else { return nil }
/// let updated = try await records.update(Item.self, id: id, ifVersion: found.version) { $0.stockCount -= 1 }
/// ```
///
/// If another save changes the row between the read and the update, the update throws an error with code
/// ``PersistenceError/Code/conflict``, which corresponds to the HTTP status 412. The versions of different rows are
/// unrelated, and the first version of a row is a random number. Compare versions only for equality.
///
/// ## Topics
///
/// - ``record``
/// - ``version``
/// - ``init(record:version:)``
public struct Versioned<Record: ManagedRecord>: Sendable {
    /// The record.
    public let record: Record
    /// The version of the record's row in the store; 0 or more.
    public let version: Int64

    /// Creates a record with the version of its row.
    public init(record: Record, version: Int64) { (self.record, self.version) = (record, version) }
}

extension Versioned: Equatable where Record: Equatable {}

extension RecordTransaction {
    /// Throws an error with code ``PersistenceError/Code/invalidRequest``.
    ///
    /// The default implementation cannot determine the versions of rows.
    public func versioned<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Versioned<Record>] {
        throw PersistenceError(.invalidRequest, "\(Self.self) does not know the versions of records")
    }

    /// Returns the record with an identifier and the version of its row, or `nil` if no such record exists.
    ///
    /// - Throws: The errors of ``versioned(_:)``.
    public func findVersioned<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, id: Record.ID
    ) throws -> Versioned<Record>? {
        try versioned(FetchRequest(try Record.entity(entity), id: id)).first
    }

    /// Changes the record with an identifier if the version of its row is the expected one.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - entity: The entity of the record; `nil` uses the entity that the type declares.
    ///   - id: The identifier of the record.
    ///   - version: The expected version of the row, as ``findVersioned(_:entity:id:)`` returned it.
    ///   - change: A closure that changes the record; it does not run if the version differs.
    /// - Returns: The record as it will be saved.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/conflict`` if the row has another version, or
    ///   the errors of ``update(in:id:_:)``.
    @discardableResult
    public func update<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, id: Record.ID, ifVersion version: Int64,
        _ change: (inout Record) throws -> Void
    ) throws -> Record {
        let entity = try Record.entity(entity)
        try check(version, id, of: entity)
        return try update(in: entity, id: id, change)
    }

    /// Deletes the record with an identifier if the version of its row is the expected one.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - entity: The entity of the record; `nil` uses the entity that the type declares.
    ///   - id: The identifier of the record.
    ///   - version: The expected version of the row, as ``findVersioned(_:entity:id:)`` returned it.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/conflict`` if the row has another version, or
    ///   ``PersistenceError/Code/objectNotFound`` if no such record exists.
    public func delete<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, id: Record.ID, ifVersion version: Int64
    ) throws {
        let entity = try Record.entity(entity)
        try check(version, id, of: entity)
        try delete(from: entity, id: id)
    }

    private func check<Record: ManagedRecord>(
        _ version: Int64, _ id: Record.ID, of entity: RecordEntity<Record>
    ) throws {
        guard let found = try versioned(FetchRequest(entity, id: id)).first else {
            var error = PersistenceError(.objectNotFound, "object \(id.rawValue) does not exist", entity: entity.name)
            error.id = id.rawValue
            throw error
        }
        guard found.version == version else {
            var error = PersistenceError(
                .conflict, "object \(id.rawValue) has the version \(found.version), but \(version) was expected",
                entity: entity.name)
            error.id = id.rawValue
            throw error
        }
    }
}
