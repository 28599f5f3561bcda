/// The batches inside a unit of work.
///
/// The assignments and filters are those of a container's batches, applied to records as values. The batches read
/// earlier changes of the unit of work, and are rolled back with it. Hooks and the records' own rules run as for every
/// other change. Each selected record is in memory until the unit of work ends. To change millions of rows in the
/// store, use ``PersistentContainer/batchUpdate(_:entity:where:_:dryRun:)``.
extension RecordTransaction {
    /// Changes the records of a type that a filter selects.
    ///
    /// New values are calculated from the previous values of the record. Values across relationships are not available.
    ///
    /// ```swift
    /// try unit.batchUpdate(
    ///     Employee.self, where: .matching(#Predicate { $0.salary < 50_000 }), [.set(\.salary, to: 50_000)])
    /// ```
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - entity: The entity; `nil` is the entity that the type declares.
    ///   - filter: The filter for the records; `nil` selects all records.
    ///   - assignments: The properties and their new values.
    /// - Returns: The number of records that the filter selects.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a property that cannot be
    ///   set, ``PersistenceError/Code/validation`` for a value that is invalid for its property, and
    ///   ``PersistenceError/Code/arithmetic``. The save checks the rules.
    /// - Complexity: O(*n*) in the number of selected records.
    @discardableResult
    public func batchUpdate<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, where filter: RecordFilter<Record>? = nil,
        _ assignments: [BatchAssignment<Record>]
    ) throws -> Int {
        let entity = try Record.entity(entity)
        let assignments = try RecordAssignments(assignments, of: entity)
        return try update(FetchRequest(entity, filter)) { try assignments.apply(to: &$0) }
    }

    /// Deletes the records of a type that a filter selects, by the model's delete rules, and returns their number.
    ///
    /// - Throws: The errors of ``delete(_:)``.
    @discardableResult
    public func batchDelete<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, where filter: RecordFilter<Record>? = nil
    ) throws -> Int {
        try delete(FetchRequest(try Record.entity(entity), filter))
    }
}

/// The batches in separate units of work.
extension RecordContext {
    /// Changes the records of a type that a filter selects, in a separate unit of work, and returns their number.
    ///
    /// - Throws: The errors of the method inside a unit of work, and of the save; nothing is changed then.
    @discardableResult
    public func batchUpdate<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, where filter: RecordFilter<Record>? = nil,
        _ assignments: [BatchAssignment<Record>]
    ) async throws -> Int {
        try await transaction(mergePolicy: nil) {
            try $0.batchUpdate(type, entity: entity, where: filter, assignments)
        }
    }

    /// Deletes the records of a type that a filter selects, in a separate unit of work, and returns their number.
    ///
    /// The model's delete rules apply.
    ///
    /// - Throws: The errors of ``delete(_:)``.
    @discardableResult
    public func batchDelete<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, where filter: RecordFilter<Record>? = nil
    ) async throws -> Int {
        try await delete(FetchRequest(try Record.entity(entity), filter))
    }
}
