/// The batches inside a unit of work.
///
/// The batches have the same assignments and filters as those of a container, but change records in memory. They
/// include earlier changes of the unit of work, and are rolled back together with it. Hooks and ``ValidatedRecord`` run
/// as for every other change. Each selected record stays in memory until the unit of work ends. To change millions of
/// rows, use ``PersistentContainer/batchUpdate(_:entity:where:_:dryRun:)``.
extension RecordTransaction {
    /// Changes the records of a type that a filter selects.
    ///
    /// Each new value is a constant or is calculated from the previous values of its record. A calculation cannot use
    /// the values of related records.
    ///
    /// ```swift
    /// try unit.batchUpdate(
    ///     Employee.self, where: .matching(#Predicate { $0.salary < 50_000 }), [.set(\.salary, to: 50_000)])
    /// ```
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - entity: The entity of the records; `nil` uses the entity that the type declares.
    ///   - filter: The filter that selects the records; `nil` selects all records of the entity.
    ///   - assignments: The properties and their new values.
    /// - Returns: The number of records that the filter selects.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a property cannot be set,
    ///   ``PersistenceError/Code/validation`` if a value is invalid for its property, or
    ///   ``PersistenceError/Code/arithmetic`` if a calculation fails. The later save checks all other rules of the
    ///   model.
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

    /// Deletes the records of a type that a filter selects, applies the model's delete rules, and returns the number of
    /// selected records.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - entity: The entity of the records; `nil` uses the entity that the type declares.
    ///   - filter: The filter that selects the records; `nil` selects all records of the entity.
    /// - Returns: The number of selected records, without those that delete rules delete in addition.
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
    /// Changes the records of a type that a filter selects, in a separate unit of work, and returns the number of
    /// selected records.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - entity: The entity of the records; `nil` uses the entity that the type declares.
    ///   - filter: The filter that selects the records; `nil` selects all records of the entity.
    ///   - assignments: The properties and their new values.
    /// - Returns: The number of selected records, including those that have the new values already.
    /// - Throws: The errors of ``RecordTransaction/batchUpdate(_:entity:where:_:)``, and of the save. If the method
    ///   throws, no record is changed.
    @discardableResult
    public func batchUpdate<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, where filter: RecordFilter<Record>? = nil,
        _ assignments: [BatchAssignment<Record>]
    ) async throws -> Int {
        try await transaction(mergePolicy: nil) {
            try $0.batchUpdate(type, entity: entity, where: filter, assignments)
        }
    }

    /// Deletes the records of a type that a filter selects, in a separate unit of work, and returns the number of
    /// selected records.
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
