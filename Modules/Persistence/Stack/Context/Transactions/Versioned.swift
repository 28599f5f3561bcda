import StrataCore

/// A record with the version of its row.
///
/// The version rises with each save that changes the row. A service gives it to clients as an ETag:
///
/// ```swift
/// guard let found = try await records.findVersioned(Item.self, id: id) else { return nil }
/// let updated = try await records.update(Item.self, id: id, ifVersion: found.version) { $0.stockCount -= 1 }
/// ```
public struct Versioned<Record: ManagedRecord>: Sendable {
    /// The record.
    public let record: Record
    /// The version of its row in the store; 0 or more.
    public let version: Int64

    /// Creates a record with a version.
    public init(record: Record, version: Int64) { (self.record, self.version) = (record, version) }
}

extension Versioned: Equatable where Record: Equatable {}

extension RecordTransaction {
    /// Throws: what is written here does not know versions.
    public func versioned<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Versioned<Record>] {
        throw PersistenceError(.invalidRequest, "\(Self.self) does not know the versions of records")
    }

    /// Returns the record with an identifier and its version; `nil` if there is none.
    ///
    /// - Throws: As ``versioned(_:)``.
    public func findVersioned<Record: PersistentRecord>(
        _ type: Record.Type, id: Record.ID
    ) throws -> Versioned<Record>? {
        try versioned(FetchRequest<Record>(id: id)).first
    }

    /// Changes the record with an identifier if its row still has a version.
    ///
    /// - Returns: The record as it will be saved.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/conflict`` if the row has another version, or as
    ///   ``update(_:id:_:)``.
    @discardableResult
    public func update<Record: PersistentRecord>(
        _ type: Record.Type, id: Record.ID, ifVersion version: Int64, _ change: (inout Record) throws -> Void
    ) throws -> Record {
        try check(version, id, of: Record.entity)
        return try update(type, id: id, change)
    }

    /// Deletes the record with an identifier if its row still has a version.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/conflict`` if the row has another version, and
    ///   ``PersistenceError/Code/objectNotFound`` if there is none.
    public func delete<Record: PersistentRecord>(
        _ type: Record.Type, id: Record.ID, ifVersion version: Int64
    ) throws {
        try check(version, id, of: Record.entity)
        try delete(type, id: id)
    }

    private func check<Record: ManagedRecord>(
        _ version: Int64, _ id: Record.ID, of entity: RecordEntity<Record>
    ) throws {
        guard let found = try versioned(FetchRequest(entity, id: id)).first else {
            var error = PersistenceError(.objectNotFound, "there is no such object", entity: entity.name)
            error.id = id.rawValue
            throw error
        }
        guard found.version == version else {
            var error = PersistenceError(
                .conflict, "the object has the version \(found.version), and \(version) was expected",
                entity: entity.name)
            error.id = id.rawValue
            throw error
        }
    }
}

extension RecordContext {
    /// Returns the record with an identifier and its version; `nil` if there is none.
    public func findVersioned<Record: PersistentRecord>(
        _ type: Record.Type, id: Record.ID
    ) async throws -> Versioned<Record>? {
        try await transaction(mergePolicy: nil) { try $0.findVersioned(type, id: id) }
    }

    /// Changes the record with an identifier if its row still has a version, in a unit of work of its own.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - id: The identifier.
    ///   - version: The version that the row has to have, as ``findVersioned(_:id:)`` returned it.
    ///   - change: Changes the record.
    /// - Returns: The saved record with its new version.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/conflict`` if the row has another version, or as ``update(_:id:_:)``.
    @discardableResult
    public func update<Record: PersistentRecord>(
        _ type: Record.Type, id: Record.ID, ifVersion version: Int64,
        _ change: @Sendable (inout Record) throws -> Void
    ) async throws -> Versioned<Record> {
        let (record, changes) = try await transactionReportingChanges(mergePolicy: nil) { unit in
            try unit.update(type, id: id, ifVersion: version, change)
        }
        // A save that writes a row raises its version by one, and is a conflict if somebody else raised it.
        let isWritten = changes.updated[Record.entity.name]?.contains(id.rawValue) == true
        return Versioned(record: record, version: isWritten ? version + 1 : version)
    }

    /// Deletes the record with an identifier if its row still has a version, in a unit of work of its own.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/conflict`` if the row has another version, and
    ///   ``PersistenceError/Code/objectNotFound`` if there is none.
    public func delete<Record: PersistentRecord>(
        _ type: Record.Type, id: Record.ID, ifVersion version: Int64
    ) async throws {
        try await transaction(mergePolicy: nil) { try $0.delete(type, id: id, ifVersion: version) }
    }
}
