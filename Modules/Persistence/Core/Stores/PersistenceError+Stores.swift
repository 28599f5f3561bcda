/// What every store refuses, in the same words.
extension PersistenceError {
    // MARK: Uniqueness

    /// Two objects have one identifier.
    public static func taken(_ entity: EntityDescription, _ id: Int64) -> PersistenceError {
        PersistenceError(
            .uniqueness, "the identifier \(id) is taken already, by another object", entity: entity.name,
            attribute: "id")
    }

    /// Two objects have one unique value.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - index: The place of the unique column.
    ///   - value: The value.
    ///   - id: The object that cannot have it.
    /// - Returns: An error with code ``Code/uniqueness``.
    public static func taken(
        _ entity: EntityDescription, index: Int, value: StoredValue, by id: Int64
    ) -> PersistenceError {
        taken(entity, key: UniqueKey([index]), value: UniqueValue(value), by: id)
    }

    /// Two objects have the same values in what is unique together.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - key: The columns.
    ///   - value: What both have in them.
    ///   - id: The object that cannot have it.
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

    /// What a database says in which a row has the values of another one in attributes that are unique, before the row is known.
    package static func taken(_ attributes: [String]) -> String {
        if attributes == ["id"] { return "the identifier is taken already" }
        return "another object \(UniqueKey.claim(ofColumns: max(1, attributes.count)))"
    }

    /// A row of a bulk write names one object by its identifier and another by a unique value.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - column: The place of the unique column.
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

    /// A row of a bulk write names one object by its identifier and another by what is unique together.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - key: The columns.
    ///   - value: What the row has in them.
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

    /// The entity has no identifier left.
    public static func identifiersExhausted(_ entity: String) -> PersistenceError {
        PersistenceError(
            .identifiersExhausted, "no identifiers are left; \(identifierRange.upperBound) is the greatest",
            entity: entity)
    }

    /// The uniqueness error of a row, with the row's identifier and the value.
    package func namingRow(_ row: StoredRow, _ entity: EntityDescription) -> PersistenceError {
        var error = self
        if attribute == "id" {
            error.message = "the identifier \(row.id) is taken already, by another object"
        } else if let attribute, let key = entity.uniqueKey(named: attribute) {
            error.value = key.value(of: row.values)?.description
            error.message = "object \(row.id): \(message)"
        }
        return error
    }

    // MARK: Values

    /// A row of a bulk write would change a value that never changes.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - column: The place of the column.
    ///   - value: The other value.
    ///   - id: The object that has its value already.
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

    /// A row refers to an object that does not exist.
    ///
    /// - Parameters:
    ///   - entity: The row's entity.
    ///   - index: The place of the column that refers.
    ///   - owner: The row's identifier.
    ///   - target: The identifier that nobody has.
    /// - Returns: An error with code ``Code/danglingReference``.
    public static func dangling(
        _ entity: EntityDescription, _ index: Int, from owner: Int64, to target: Int64
    ) -> PersistenceError {
        let column = entity.columns[index]
        var error = PersistenceError(
            .danglingReference, "object \(owner) points to a \(column.destination ?? "object") that does not exist",
            entity: entity.name, attribute: column.name)
        error.value = String(target)
        return error
    }

    /// A pair of a join table one of whose ends does not exist.
    ///
    /// - Parameters:
    ///   - join: The join table.
    ///   - pair: The pair.
    ///   - isTargetMissing: Whether the pair's target is the end that does not exist; otherwise its source.
    /// - Returns: An error with code ``Code/danglingReference``.
    public static func dangling(
        _ join: JoinDescription, _ pair: JoinPair, isTargetMissing: Bool
    ) -> PersistenceError {
        let (owner, target) = isTargetMissing ? (pair.source, pair.target) : (pair.target, pair.source)
        let destination = isTargetMissing ? join.targetEntity : join.sourceEntity
        var error = PersistenceError(
            .danglingReference, "object \(owner) points to a \(destination) that does not exist",
            entity: isTargetMissing ? join.sourceEntity : join.targetEntity,
            attribute: isTargetMissing ? join.sourceRelationship : join.targetRelationship)
        error.value = String(target)
        return error
    }

    // MARK: Calls

    /// A store was used after it was closed.
    public static var storeClosed: PersistenceError { PersistenceError(.closed, "the store was closed") }

    /// A snapshot was used after it was closed.
    public static var snapshotClosed: PersistenceError { PersistenceError(.closed, "the snapshot was closed") }

    /// A transaction, or a bulk write, was used after its end.
    public static var transactionIsOver: PersistenceError {
        PersistenceError(.invalidRequest, "the transaction is over; use it in its closure only")
    }

    /// Makes sure that a number of snapshots can be opened.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for less than one.
    public static func checkSnapshotCount(_ count: Int) throws {
        guard count >= 1 else {
            throw PersistenceError(.invalidRequest, "\(count) snapshots asked for; at least 1")
        }
    }
}
