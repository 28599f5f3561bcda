extension PersistenceError {
    /// A row names one object by its identifier and another by a unique value.
    static func takenByOther(
        _ entity: EntityDescription, column: Int, value: StoredValue?, id: Int64, owner: Int64
    ) -> PersistenceError {
        var error = PersistenceError(
            .uniqueness,
            "object \(id): object \(owner) has this value already, and it is declared unique; a stored object keeps its identifier",
            entity: entity.name, attribute: entity.columns[column].name)
        error.value = value?.description
        return error
    }

    /// A row would change a value that never changes.
    static func immutableChanged(
        _ entity: EntityDescription, column: Int, value: StoredValue, id: Int64
    ) -> PersistenceError {
        var error = PersistenceError(.validation, "a row breaks rules of the model:", entity: entity.name)
        error.failures = [
            ValidationFailure(
                entity: entity.name, id: id, attribute: entity.columns[column].name, value: value, rule: .immutable)
        ]
        return error
    }
}

/// A reference that is checked when all rows are there.
struct PendingReference {
    /// The number of the inserter whose row it is.
    let inserter: Int
    let column: Int
    let owner: Int64
    let target: Int64
    /// Whether the row was inserted; otherwise it was there and changed.
    let isNew: Bool
    let location: RowLocation
}
