import StrataCore

extension BatchAssignment where Record == DynamicRecord {
    /// Returns an assignment that sets a property, identified by its handle, to a constant value.
    public static func set<Value: Sendable>(_ attribute: DynamicAttribute<Value>, to value: Value) -> BatchAssignment {
        BatchAssignment { entity in
            try require(attribute.entity, entity)
            return (attribute.name, .constant(try value.storedValue()))
        }
    }

    /// Returns an assignment that sets a property, identified by its handle, to a value calculated from each row.
    public static func set<Value>(_ attribute: DynamicAttribute<Value>, toValueOf operand: FetchOperand)
        -> BatchAssignment
    {
        BatchAssignment { entity in
            try require(attribute.entity, entity)
            return (attribute.name, operand)
        }
    }

    /// Returns the assignments that a text contains, for example `salary = round(salary * 1.1, 2), lastName = 'Ito'`.
    ///
    /// The text has the same syntax as the option `--set` of the command-line tool.
    ///
    /// - Parameters:
    ///   - entity: The entity to which the assigned properties belong.
    ///   - text: The assignments, separated by commas.
    /// - Returns: The assignments.
    /// - Throws: ``PredicateTextError`` with the location of the error in the text, and the nearest valid name.
    public static func assignments(_ entity: DynamicEntity, _ text: String) throws -> [BatchAssignment] {
        try entity.text().assignments(text).map { assignment in
            BatchAssignment { _ in (assignment.name, assignment.value) }
        }
    }

    private static func require(_ found: DynamicEntity, _ wanted: DynamicEntity) throws {
        guard found.name != wanted.name else { return }
        throw PersistenceError(
            .invalidRequest, "the handle belongs to \(found.name); resolve the name in this entity", entity: wanted.name
        )
    }
}
