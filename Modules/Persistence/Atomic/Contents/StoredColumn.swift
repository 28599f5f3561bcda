import StrataCore

/// The reading and writing rules of a column in files.
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

    /// Returns the stored form of a value, or `nil` if the value is invalid for the column.
    func stored(_ value: StoredValue) -> StoredValue? {
        if value.isNull { return isOptional ? .null : nil }
        return coding.converted(value)
    }

    /// Returns the form of a value that is written to the file.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` if the value could not be read
    ///   again.
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
