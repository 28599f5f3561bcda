import StrataCore

/// A column with the rules by which its values are read from files and written to files.
struct StoredColumn: Sendable {
    let name: String
    let isOptional: Bool
    let destination: String?
    let type: AttributeType
    let coding: any AttributeCoding

    init(_ column: ColumnDescription) {
        name = column.name
        isOptional = column.isOptional
        destination = column.destination
        type = column.type
        coding = column.type.coding
    }

    /// Returns the form in which a store has a value in memory, or `nil` if the value is invalid for the column.
    func stored(_ value: StoredValue) -> StoredValue? {
        if value.isNull { return isOptional ? .null : nil }
        return coding.converted(value)
    }

    /// Returns the form in which a value is written to the file.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` if the written value could not be
    ///   read again.
    func written(_ value: StoredValue, of entity: String, id: Int64) throws -> StoredValue {
        if let stored = stored(value) { return stored }
        var error = PersistenceError(.validation, "a row breaks rules of the model:", entity: entity)
        error.failures = [
            ValidationFailure(
                entity: entity, id: id, attribute: name, value: value, rule: value.isNull ? .mandatory : .type(type))
        ]
        throw error
    }
}
