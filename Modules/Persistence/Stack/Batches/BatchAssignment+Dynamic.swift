import StrataCore

extension BatchAssignment where Record == DynamicRecord {
    /// Sets a property to a value, by its handle.
    public static func set<Value: Sendable>(_ attribute: DynamicAttribute<Value>, to value: Value) -> BatchAssignment {
        BatchAssignment { entity in
            try require(attribute.entity, entity)
            return (attribute.name, .constant(try value.storedValue()))
        }
    }

    /// Sets a property to what is calculated from the row, by its handle.
    public static func set<Value>(_ attribute: DynamicAttribute<Value>, toValueOf operand: FetchOperand)
        -> BatchAssignment
    {
        BatchAssignment { entity in
            try require(attribute.entity, entity)
            return (attribute.name, operand)
        }
    }

    /// The assignments of a text: `salary = round(salary * 1.1, 2), lastName = 'Ito'`, as the tool's `--set` takes it.
    ///
    /// - Parameters:
    ///   - entity: Whose properties.
    ///   - text: The text.
    /// - Returns: The assignments.
    /// - Throws: ``PredicateTextError`` that says where the text is wrong, and the nearest right name.
    public static func assignments(_ entity: DynamicEntity, _ text: String) throws -> [BatchAssignment] {
        try entity.text().assignments(text).map { assignment in
            BatchAssignment { _ in (assignment.name, assignment.value) }
        }
    }

    private static func require(_ found: DynamicEntity, _ wanted: DynamicEntity) throws {
        guard found.name != wanted.name else { return }
        throw PersistenceError(
            .invalidRequest, "the handle is of \(found.name); resolve the name in this entity", entity: wanted.name)
    }
}
