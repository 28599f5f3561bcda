public import StrataCore

/// The errors that all stores report with the same messages.
extension PersistenceError {
    // MARK: Uniqueness

    /// Returns the error for two objects of an entity with the same identifier.
    public static func taken(_ entity: EntityDescription, _ id: Int64) -> PersistenceError {
        PersistenceError(
            .uniqueness, "the identifier \(id) already belongs to another object", entity: entity.name,
            attribute: "id")
    }

    /// Returns the error for two objects with the same value in a unique column.
    ///
    /// - Parameters:
    ///   - entity: The entity of both objects.
    ///   - index: The index of the unique column.
    ///   - value: The value of both objects.
    ///   - id: The identifier of the object that cannot get the value.
    /// - Returns: An error with code ``Code/uniqueness``.
    public static func taken(
        _ entity: EntityDescription, index: Int, value: StoredValue, by id: Int64
    ) -> PersistenceError {
        taken(entity, key: UniqueKey([index]), value: UniqueValue(value), by: id)
    }

    /// Returns the error for two objects with the same values in columns that are unique together.
    ///
    /// - Parameters:
    ///   - entity: The entity of both objects.
    ///   - key: The unique key with the columns.
    ///   - value: The values of both objects in these columns.
    ///   - id: The identifier of the object that cannot get the values.
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

    /// Returns the message of the error for a duplicate value in unique attributes, before the row is known.
    package static func taken(_ attributes: [String]) -> String {
        if attributes == ["id"] { return "the identifier already exists" }
        return "another object \(UniqueKey.claim(ofColumns: max(1, attributes.count)))"
    }

    /// Returns the error for an input row whose identifier and unique value belong to two different objects.
    ///
    /// - Parameters:
    ///   - entity: The entity of both objects.
    ///   - column: The index of the unique column.
    ///   - value: The unique value of the input row.
    ///   - id: The identifier of the input row.
    ///   - owner: The identifier of the object that has the unique value.
    /// - Returns: An error with code ``Code/uniqueness``.
    public static func takenByOther(
        _ entity: EntityDescription, column: Int, value: StoredValue?, id: Int64, owner: Int64
    ) -> PersistenceError {
        takenByOther(
            entity, key: UniqueKey([column]), value: value.map(UniqueValue.init), id: id, owner: owner)
    }

    /// Returns the error for an input row whose identifier and values of a unique key belong to two different objects.
    ///
    /// - Parameters:
    ///   - entity: The entity of both objects.
    ///   - key: The unique key.
    ///   - value: The values of the input row in the key's columns.
    ///   - id: The identifier of the input row.
    ///   - owner: The identifier of the object that has the values.
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

    /// Returns the error for an entity that has no identifier left for a new row.
    public static func identifiersExhausted(_ entity: String) -> PersistenceError {
        PersistenceError(
            .identifiersExhausted, "no identifiers are left; \(identifierRange.upperBound) is the greatest",
            entity: entity)
    }

    /// Returns this uniqueness error with the identifier of a row and the row's duplicate value added.
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
    ///   - entity: The entity of the row.
    ///   - column: The index of the immutable column.
    ///   - value: The new value.
    ///   - id: The identifier of the stored row, which has another value.
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

    /// Returns the error for a row that references an object that does not exist.
    ///
    /// - Parameters:
    ///   - entity: The row's entity.
    ///   - index: The index of the reference column.
    ///   - owner: The row's identifier.
    ///   - target: The referenced identifier, which no object has.
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

    /// Returns the error for a join row whose source or target does not exist.
    ///
    /// - Parameters:
    ///   - join: The join table.
    ///   - pair: The identifiers of the join row.
    ///   - isTargetMissing: `true` if the target of the join row does not exist; `false` if its source does not exist.
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

    /// The error for the use of a transaction or a bulk write after it has ended.
    public static var transactionIsOver: PersistenceError {
        PersistenceError(.invalidRequest, "the transaction is over; use it in its closure only")
    }

    /// Throws an error if a requested count of snapshots is less than one.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``.
    public static func checkSnapshotCount(_ count: Int) throws {
        guard count >= 1 else {
            throw PersistenceError(.invalidRequest, "\(count) snapshots were requested; at least 1 is required")
        }
    }
}
