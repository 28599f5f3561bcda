import StrataCore

extension BatchAssignment where Record == DynamicRecord {
    /// Returns an assignment of a value to a property, by its handle.
    public static func set<Value: Sendable>(_ attribute: DynamicAttribute<Value>, to value: Value) -> BatchAssignment {
        BatchAssignment { entity in
            try require(attribute.entity, entity)
            return (attribute.name, .constant(try value.storedValue()))
        }
    }

    /// Returns an assignment of a value that is calculated from the row, by the property's handle.
    public static func set<Value>(_ attribute: DynamicAttribute<Value>, toValueOf operand: FetchOperand)
        -> BatchAssignment
    {
        BatchAssignment { entity in
            try require(attribute.entity, entity)
            return (attribute.name, operand)
        }
    }

    /// Returns the assignments of a text, for example `salary = round(salary * 1.1, 2), lastName = 'Ito'`.
    ///
    /// The text has the syntax of the tool's option `--set`.
    ///
    /// - Parameters:
    ///   - entity: The entity of the properties.
    ///   - text: The text.
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
