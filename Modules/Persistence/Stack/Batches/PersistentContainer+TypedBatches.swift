import StrataCore

/// A property of a record type, and its new value in a batch update.
///
/// All assignments of an update read the values before the update, so that two properties can exchange their values.
/// The properties and the types of the values are checked when the batch runs.
///
/// ## Topics
///
/// - ``assignments(_:_:)``
public struct BatchAssignment<Record: ManagedRecord>: Sendable {
    let lowered: @Sendable (RecordEntity<Record>) throws -> (name: String, operand: FetchOperand)

    /// Returns an assignment that sets a property to a constant value.
    ///
    /// - Parameters:
    ///   - path: The key path of an attribute or a to-one relationship with a column.
    ///   - value: The new value of the property in all selected rows.
    /// - Returns: The assignment. If the value has no stored form, the batch throws an error.
    public static func set<Value: AttributeValue & Sendable>(
        _ path: any KeyPath<Record, Value> & Sendable, to value: Value
    ) -> BatchAssignment {
        BatchAssignment { (try name(path, of: $0), .constant(try value.storedValue())) }
    }

    /// Returns an assignment that sets a property to a value calculated from each row.
    ///
    /// - Parameters:
    ///   - path: The key path of an attribute or a to-one relationship with a column.
    ///   - operand: The calculation, for example `.arithmetic(.property("salary"), .multiply, .constant(.integer(2)))`.
    /// - Returns: The assignment.
    public static func set(_ path: any PartialKeyPath<Record> & Sendable, toValueOf operand: FetchOperand)
        -> BatchAssignment
    {
        BatchAssignment { (try name(path, of: $0), operand) }
    }

    /// Returns the operands for the new values of several assignments, by the name of the property.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the entity does not have
    ///   the property of an assignment, or if two assignments set the same property.
    static func values(
        _ assignments: [BatchAssignment], of entity: RecordEntity<Record>
    ) throws -> [String: FetchOperand] {
        var values: [String: FetchOperand] = [:]
        for (name, operand) in try assignments.map({ try $0.lowered(entity) }) {
            guard values.updateValue(operand, forKey: name) == nil else {
                throw PersistenceError(
                    .invalidRequest, "a batch update sets the property twice", entity: entity.name, attribute: name)
            }
        }
        return values
    }

    private static func name(
        _ path: any PartialKeyPath<Record> & Sendable, of entity: RecordEntity<Record>
    ) throws -> String {
        guard let name = entity.column(at: path) else {
            throw PersistenceError(
                .invalidRequest, "\((path as AnyKeyPath).text) is not a property of the entity", entity: entity.name)
        }
        return name
    }
}

extension PersistentContainer {
    /// Changes the rows of a record type that a filter selects, as ``batchUpdate(_:where:set:dryRun:)`` does.
    ///
    /// ```swift
    /// try container.batchUpdate(
    ///     Employee.self, where: .matching(#Predicate { $0.salary < 50_000 }), [.set(\.salary, to: 50_000)])
    /// ```
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - entity: The entity whose rows are changed; `nil` uses the entity that the type declares.
    ///   - filter: The filter that selects the rows; `nil` selects all rows of the entity.
    ///   - assignments: The properties and their new values.
    ///   - dryRun: A Boolean value that indicates whether the batch makes all checks, but stores nothing.
    /// - Returns: The changed rows; for a dry run, the rows that would be changed.
    /// - Throws: The errors of ``batchUpdate(_:where:set:dryRun:)``.
    @discardableResult
    public func batchUpdate<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, where filter: RecordFilter<Record>? = nil,
        _ assignments: [BatchAssignment<Record>], dryRun: Bool = false
    ) throws -> BatchResult {
        let entity = try Record.entity(entity)
        return try batchUpdate(
            entity.name, where: try filter?.condition(of: entity),
            set: try BatchAssignment.values(assignments, of: entity), dryRun: dryRun)
    }

    /// Deletes the rows of a record type that a filter selects, as ``batchDelete(_:where:dryRun:)`` does.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - entity: The entity whose rows are deleted; `nil` uses the entity that the type declares.
    ///   - filter: The filter that selects the rows; `nil` selects all rows of the entity.
    ///   - dryRun: A Boolean value that indicates whether the batch makes all checks, but stores nothing.
    /// - Returns: The deleted rows; for a dry run, the rows that would be deleted.
    /// - Throws: The errors of ``batchDelete(_:where:dryRun:)``.
    @discardableResult
    public func batchDelete<Record: ManagedRecord>(
        _ type: Record.Type, entity: RecordEntity<Record>? = nil, where filter: RecordFilter<Record>? = nil,
        dryRun: Bool = false
    ) throws -> BatchResult {
        let entity = try Record.entity(entity)
        return try batchDelete(entity.name, where: try filter?.condition(of: entity), dryRun: dryRun)
    }
}
