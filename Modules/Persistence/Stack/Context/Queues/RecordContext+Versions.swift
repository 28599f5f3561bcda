import StrataCore

/// Records with the versions of their rows, each call a unit of work of its own.
extension RecordContext {
    /// Returns the record of an entity with an identifier, and its version; `nil` if there is none.
    public func findVersioned<Record: ManagedRecord>(
        in entity: RecordEntity<Record>, id: Record.ID
    ) async throws -> Versioned<Record>? {
        try await transaction(mergePolicy: nil) { try $0.findVersioned(in: entity, id: id) }
    }

    /// Changes the record of an entity with an identifier if its row still has a version, in a unit of work of its own.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - id: The identifier.
    ///   - version: The version that the row has to have, as ``findVersioned(in:id:)`` returned it.
    ///   - change: Changes the record.
    /// - Returns: The saved record with its new version.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/conflict`` if the row has another version, or as ``update(in:id:_:)``.
    @discardableResult
    public func update<Record: ManagedRecord>(
        in entity: RecordEntity<Record>, id: Record.ID, ifVersion version: Int64,
        _ change: @Sendable (inout Record) throws -> Void
    ) async throws -> Versioned<Record> {
        let (record, changes) = try await transactionReportingChanges(mergePolicy: nil) { unit in
            try unit.update(in: entity, id: id, ifVersion: version, change)
        }
        // A save that writes a row raises its version by one; it is a conflict if another save raised it.
        let isWritten = changes.updated[entity.name]?.contains(id.rawValue) == true
        return Versioned(record: record, version: isWritten ? version + 1 : version)
    }

    /// Deletes the record of an entity with an identifier if its row still has a version, in a unit of work of its own.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/conflict`` if the row has another version, and
    ///   ``PersistenceError/Code/objectNotFound`` if there is none.
    public func delete<Record: ManagedRecord>(
        from entity: RecordEntity<Record>, id: Record.ID, ifVersion version: Int64
    ) async throws {
        try await transaction(mergePolicy: nil) { try $0.delete(from: entity, id: id, ifVersion: version) }
    }

    /// Returns the record with an identifier and its version; `nil` if there is none.
    public func findVersioned<Record: PersistentRecord>(
        _ type: Record.Type, id: Record.ID
    ) async throws -> Versioned<Record>? {
        try await findVersioned(in: Record.entity, id: id)
    }

    /// Changes the record with an identifier if its row still has a version, in a unit of work of its own.
    ///
    /// - Returns: The saved record with its new version.
    /// - Throws: As the call with an entity.
    @discardableResult
    public func update<Record: PersistentRecord>(
        _ type: Record.Type, id: Record.ID, ifVersion version: Int64,
        _ change: @Sendable (inout Record) throws -> Void
    ) async throws -> Versioned<Record> {
        try await update(in: Record.entity, id: id, ifVersion: version, change)
    }

    /// Deletes the record with an identifier if its row still has a version, in a unit of work of its own.
    ///
    /// - Throws: As the call with an entity.
    public func delete<Record: PersistentRecord>(
        _ type: Record.Type, id: Record.ID, ifVersion version: Int64
    ) async throws {
        try await delete(from: Record.entity, id: id, ifVersion: version)
    }
}
