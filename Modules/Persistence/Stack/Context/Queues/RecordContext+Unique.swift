import StrataCore

/// Lookups of records by unique values.
///
/// Each call is a separate unit of work.
extension RecordContext {
    /// Returns the record with a value of a unique attribute, or `nil` if no such record exists.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - path: An attribute or to-one relationship that is unique without other properties.
    ///   - value: The value of the property; `nil` finds no record.
    /// - Returns: The saved record.
    /// - Throws: The errors of ``RecordTransaction/find(_:by:_:)``.
    public func find<Record: PersistentRecord, Value: AttributeValue & Sendable>(
        _ type: Record.Type, by path: any KeyPath<Record, Value> & Sendable, _ value: Value
    ) async throws -> Record? {
        try await transaction(mergePolicy: nil) { try $0.find(type, by: path, value) }
    }

    /// Returns the existing record with the unique values of a new record, or inserts the new record.
    ///
    /// The call is a separate unit of work. If another process inserts a record with the same unique values meanwhile,
    /// the call returns that record.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - entity: The entity of the records; `nil` uses the entity that the type declares.
    ///   - make: A closure that creates the new record with an identifier. It may run several times.
    /// - Returns: The existing or new record, and a Boolean value that indicates whether it is new.
    /// - Throws: The errors of ``RecordTransaction/findOrInsert(_:entity:_:)``.
    @discardableResult
    public func findOrInsert<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, _ make: @Sendable (Record.ID) throws -> Record
    ) async throws -> (record: Record, isNew: Bool) {
        try await transaction(retrying: RecordRetries.insertions, after: [.uniqueness, .conflict, .locked]) { unit in
            try unit.findOrInsert(type, entity: entity, make)
        }
    }
}
