import StrataCore

/// A property of a record type, and the value that a batch update gives it.
public struct BatchAssignment<Record: PersistentRecord>: Sendable {
    let lowered: @Sendable () throws -> (name: String, operand: FetchOperand)

    /// Sets a property to a value.
    public static func set<Value: AttributeValue & Sendable>(
        _ path: any KeyPath<Record, Value> & Sendable, to value: Value
    ) -> BatchAssignment {
        BatchAssignment { (try name(path), .constant(try value.storedValue())) }
    }

    /// Sets a property to what is calculated from the row.
    public static func set(_ path: any PartialKeyPath<Record> & Sendable, toValueOf operand: FetchOperand)
        -> BatchAssignment
    {
        BatchAssignment { (try name(path), operand) }
    }

    private static func name(_ path: any PartialKeyPath<Record> & Sendable) throws -> String {
        guard let name = Record.entity.column(at: path) else {
            throw PersistenceError(
                .invalidRequest, "\((path as AnyKeyPath).text) is no property of the entity", entity: Record.entity.name
            )
        }
        return name
    }
}

extension PersistentContainer {
    /// Changes the rows of a record type that a filter selects, as ``batchUpdate(_:where:set:dryRun:progress:)`` does.
    ///
    /// ```swift
    /// try container.batchUpdate(Employee.self, where: .matching(#Predicate { $0.salary < 50_000 }), [.set(\.salary, to: 50_000)])
    /// ```
    @discardableResult
    public func batchUpdate<Record: PersistentRecord>(
        _ type: Record.Type, where filter: RecordFilter<Record>? = nil, _ assignments: [BatchAssignment<Record>],
        dryRun: Bool = false, progress: (@Sendable (BatchProgress) -> Void)? = nil
    ) throws -> BatchResult {
        var values: [String: FetchOperand] = [:]
        for (name, operand) in try assignments.map({ try $0.lowered() }) {
            guard values.updateValue(operand, forKey: name) == nil else {
                throw PersistenceError(
                    .invalidRequest, "a batch update sets it twice", entity: Record.entity.name, attribute: name)
            }
        }
        return try batchUpdate(
            Record.entity.name, where: try filter?.condition(), set: values, dryRun: dryRun, progress: progress)
    }

    /// Deletes the rows of a record type that a filter selects, as the call with the entity's name does.
    @discardableResult
    public func batchDelete<Record: PersistentRecord>(
        _ type: Record.Type, where filter: RecordFilter<Record>? = nil, dryRun: Bool = false,
        progress: (@Sendable (BatchProgress) -> Void)? = nil
    ) throws -> BatchResult {
        try batchDelete(Record.entity.name, where: try filter?.condition(), dryRun: dryRun, progress: progress)
    }
}
