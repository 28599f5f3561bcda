/// Errors that all stores report in the same words.
extension PersistenceError {
    // MARK: Uniqueness

    /// Returns the error for two objects with one identifier.
    public static func taken(_ entity: EntityDescription, _ id: Int64) -> PersistenceError {
        PersistenceError(
            .uniqueness, "the identifier \(id) already belongs to another object", entity: entity.name,
            attribute: "id")
    }

    /// Returns the error for two objects with one unique value.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - index: The index of the unique column.
    ///   - value: The value.
    ///   - id: The object that cannot have the value.
    /// - Returns: An error with code ``Code/uniqueness``.
    public static func taken(
        _ entity: EntityDescription, index: Int, value: StoredValue, by id: Int64
    ) -> PersistenceError {
        taken(entity, key: UniqueKey([index]), value: UniqueValue(value), by: id)
    }

    /// Returns the error for two objects with the same values of columns that are unique together.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - key: The columns.
    ///   - value: The values of both objects in these columns.
    ///   - id: The object that cannot have the values.
    /// - Returns: An error with code ``Code/uniqueness``; its ``attribute`` names all columns.
    public static func taken(
        _ entity: EntityDescription, key: UniqueKey, value: UniqueValue, by id: Int64
    ) -> PersistenceError {
        var error = PersistenceError(
            .uniqueness, "object \(id): another object \(key.claim)", entity: entity.name,
            attribute: key.name(in: entity))
        error.value = value.description
        return error
    }

    /// Returns the message for a duplicate value in unique attributes, before the row is known.
    package static func taken(_ attributes: [String]) -> String {
        if attributes == ["id"] { return "the identifier already exists" }
        return "another object \(UniqueKey.claim(ofColumns: max(1, attributes.count)))"
    }

    /// Returns the error for a row that names one object by its identifier and another by a unique value.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - column: The index of the unique column.
    ///   - value: The value.
    ///   - id: The object that the row names.
    ///   - owner: The object that has the value.
    /// - Returns: An error with code ``Code/uniqueness``.
    public static func takenByOther(
        _ entity: EntityDescription, column: Int, value: StoredValue?, id: Int64, owner: Int64
    ) -> PersistenceError {
        takenByOther(
            entity, key: UniqueKey([column]), value: value.map(UniqueValue.init), id: id, owner: owner)
    }

    /// Returns the error for a row that names one object by its identifier and another by a unique key.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - key: The columns.
    ///   - value: The values of the row in these columns.
    ///   - id: The object that the row names.
    ///   - owner: The object that has the values.
    /// - Returns: An error with code ``Code/uniqueness``; its ``attribute`` names all columns.
    public static func takenByOther(
        _ entity: EntityDescription, key: UniqueKey, value: UniqueValue?, id: Int64, owner: Int64
    ) -> PersistenceError {
        var error = PersistenceError(
            .uniqueness,
            "object \(id): object \(owner) \(key.claim); a stored object keeps its identifier",
            entity: entity.name, attribute: key.name(in: entity))
        error.value = value?.description
        return error
    }

    /// Returns the error for an entity without free identifiers.
    public static func identifiersExhausted(_ entity: String) -> PersistenceError {
        PersistenceError(
            .identifiersExhausted, "no identifiers are left; \(identifierRange.upperBound) is the greatest",
            entity: entity)
    }

    /// Returns the uniqueness error of a row, with the row's identifier and the value.
    package func namingRow(_ row: StoredRow, _ entity: EntityDescription) -> PersistenceError {
        var error = self
        if attribute == "id" {
            error.message = "the identifier \(row.id) already belongs to another object"
        } else if let attribute, let key = entity.uniqueKey(named: attribute) {
            error.value = key.value(of: row.values)?.description
            error.message = "object \(row.id): \(message)"
        }
        return error
    }

    // MARK: Values

    /// Returns the error for a row of a bulk write that would change an immutable value.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - column: The index of the column.
    ///   - value: The new value.
    ///   - id: The object that already has a value.
    /// - Returns: An error with code ``Code/validation``.
    public static func immutableChanged(
        _ entity: EntityDescription, column: Int, value: StoredValue, id: Int64
    ) -> PersistenceError {
        var error = PersistenceError(.validation, "a row breaks rules of the model:", entity: entity.name)
        error.failures = [
            ValidationFailure(
                entity: entity.name, id: id, attribute: entity.columns[column].name, value: value, rule: .immutable)
        ]
        return error
    }

    // MARK: References

    /// Returns the error for a row that refers to an object that does not exist.
    ///
    /// - Parameters:
    ///   - entity: The row's entity.
    ///   - index: The index of the reference column.
    ///   - owner: The row's identifier.
    ///   - target: The identifier that no object has.
    /// - Returns: An error with code ``Code/danglingReference``.
    public static func dangling(
        _ entity: EntityDescription, _ index: Int, from owner: Int64, to target: Int64
    ) -> PersistenceError {
        let column = entity.columns[index]
        var error = PersistenceError(
            .danglingReference, "object \(owner) refers to a missing \(column.destination ?? "object")",
            entity: entity.name, attribute: column.name)
        error.value = String(target)
        return error
    }

    /// Returns the error for a join row with an end that does not exist.
    ///
    /// - Parameters:
    ///   - join: The join table.
    ///   - pair: The join row.
    ///   - isTargetMissing: Whether the target of the join row does not exist; otherwise its source does not exist.
    /// - Returns: An error with code ``Code/danglingReference``.
    public static func dangling(
        _ join: JoinDescription, _ pair: JoinPair, isTargetMissing: Bool
    ) -> PersistenceError {
        let (owner, target) = isTargetMissing ? (pair.source, pair.target) : (pair.target, pair.source)
        let destination = isTargetMissing ? join.targetEntity : join.sourceEntity
        var error = PersistenceError(
            .danglingReference, "object \(owner) refers to a missing \(destination)",
            entity: isTargetMissing ? join.sourceEntity : join.targetEntity,
            attribute: isTargetMissing ? join.sourceRelationship : join.targetRelationship)
        error.value = String(target)
        return error
    }

    // MARK: Calls

    /// The error for the use of a store after it was closed.
    public static var storeClosed: PersistenceError { PersistenceError(.closed, "the store was closed") }

    /// The error for the use of a snapshot after it was closed.
    public static var snapshotClosed: PersistenceError { PersistenceError(.closed, "the snapshot was closed") }

    /// The error for the use of a transaction or a bulk write after its end.
    public static var transactionIsOver: PersistenceError {
        PersistenceError(.invalidRequest, "the transaction is over; use it in its closure only")
    }

    /// Checks a count of snapshots.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the count is less than one.
    public static func checkSnapshotCount(_ count: Int) throws {
        guard count >= 1 else {
            throw PersistenceError(.invalidRequest, "\(count) snapshots were requested; at least 1 is required")
        }
    }
}
