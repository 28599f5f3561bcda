import StrataCore

/// Operations on records with the versions of their rows.
///
/// Each call is a separate unit of work.
extension RecordContext {
    /// Returns the record with an identifier and the version of its row, or `nil` if no such record exists.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - entity: The entity of the record; `nil` uses the entity that the type declares.
    ///   - id: The identifier of the record.
    /// - Returns: The saved record, and the version that a later conditional update expects.
    /// - Throws: The errors of ``RecordTransaction/findVersioned(_:entity:id:)``.
    public func findVersioned<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, id: Record.ID
    ) async throws -> Versioned<Record>? {
        try await transaction(mergePolicy: nil) { try $0.findVersioned(type, entity: entity, id: id) }
    }

    /// Changes the record with an identifier if the version of its row is the expected one, in a separate unit of work.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - entity: The entity of the record; `nil` uses the entity that the type declares.
    ///   - id: The identifier of the record.
    ///   - version: The expected version of the row, as ``findVersioned(_:entity:id:)`` returned it.
    ///   - change: A closure that changes the record.
    /// - Returns: The saved record with its new version.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/conflict`` if the row has another version, or
    ///   the errors of ``update(in:id:_:)``.
    @discardableResult
    public func update<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, id: Record.ID, ifVersion version: Int64,
        _ change: @Sendable (inout Record) throws -> Void
    ) async throws -> Versioned<Record> {
        let entity = try Record.entity(entity)
        let (record, changes) = try await transactionReportingChanges(mergePolicy: nil) { unit in
            try unit.update(type, entity: entity, id: id, ifVersion: version, change)
        }
        // A save that writes a row raises its version by one. If another save raised it too, this save throws a
        // conflict.
        let isWritten = changes.updated[entity.name]?.contains(id.rawValue) == true
        return Versioned(record: record, version: isWritten ? version + 1 : version)
    }

    /// Deletes the record with an identifier if the version of its row is the expected one, in a separate unit of work.
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
    ) async throws {
        try await transaction(mergePolicy: nil) { try $0.delete(type, entity: entity, id: id, ifVersion: version) }
    }
}
