import StrataCore

/// A column as files have it: how its values are read and written.
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

    /// A value of the column in the form in which stores keep it, null where that is allowed; `nil` where it is none.
    func stored(_ value: StoredValue) -> StoredValue? {
        if value.isNull { return isOptional ? .null : nil }
        return coding.converted(value)
    }

    /// A value of a row that is to be written.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation``: what is written can be read again.
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
