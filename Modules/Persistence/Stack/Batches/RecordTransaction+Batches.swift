/// Batches inside a unit of work: the assignments and filters of a container's batches, on records as values.
///
/// What the unit of work changed before is seen, and all is taken back with it. Hooks and the records' own rules run as for every other change. Each record
/// that is selected is in memory until the unit of work ends; ``PersistentContainer/batchUpdate(_:entity:where:_:dryRun:)``
/// changes millions of rows where they are.
extension RecordTransaction {
    /// Changes the records of a type that a filter selects.
    ///
    /// New values are calculated from the record as it was. Values across relationships are not known here.
    ///
    /// ```swift
    /// try unit.batchUpdate(Employee.self, where: .matching(#Predicate { $0.salary < 50_000 }), [.set(\.salary, to: 50_000)])
    /// ```
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - entity: The entity; `nil` for the one that the type declares.
    ///   - filter: Which records; `nil` for all.
    ///   - assignments: The properties and their new values.
    /// - Returns: The number of records that the filter selects.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for what cannot be set,
    ///   ``PersistenceError/Code/validation`` for what is no value of its property, and ``PersistenceError/Code/arithmetic``; rules are checked by the save.
    /// - Complexity: O(*n*) in the records that are selected.
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
    /// - Throws: As ``delete(_:)``.
    @discardableResult
    public func batchDelete<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, where filter: RecordFilter<Record>? = nil
    ) throws -> Int {
        try delete(FetchRequest(try Record.entity(entity), filter))
    }
}

/// The same as units of work of their own.
extension RecordContext {
    /// Changes the records of a type that a filter selects, in a unit of work of its own, and returns their number.
    ///
    /// - Throws: As the call inside a unit of work, and what the save throws; nothing is changed then.
    @discardableResult
    public func batchUpdate<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, where filter: RecordFilter<Record>? = nil,
        _ assignments: [BatchAssignment<Record>]
    ) async throws -> Int {
        try await transaction(mergePolicy: nil) {
            try $0.batchUpdate(type, entity: entity, where: filter, assignments)
        }
    }

    /// Deletes the records of a type that a filter selects, by the model's delete rules, in a unit of work of its own, and returns their number.
    ///
    /// - Throws: As ``delete(_:)``.
    @discardableResult
    public func batchDelete<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, where filter: RecordFilter<Record>? = nil
    ) async throws -> Int {
        try await delete(FetchRequest(try Record.entity(entity), filter))
    }
}
