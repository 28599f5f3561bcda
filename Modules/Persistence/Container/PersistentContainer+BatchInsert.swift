extension PersistentContainer {
    /// Inserts many rows of one entity without making objects: one transaction, in the store, validated by the same rules as a save.
    ///
    /// ```swift
    /// try container.batchInsert(into: "Color") { inserter in
    ///     for (index, row) in rows.enumerated() {
    ///         try inserter.insert(values: row, place: RowPlace(line: index + 1, record: index + 1))
    ///     }
    /// }
    /// ```
    ///
    /// `body` may read the stack, not write it: a save or a new identifier from inside it throws.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``PersistenceError`` with the place of the first bad row, or what `body` throws; nothing is stored then.
    @discardableResult
    public func batchInsert(into entity: String, _ body: (BatchInserter) throws -> Void) throws -> Int {
        let description = try model.entity(named: entity)
        return try coordinator.store.insertRows(of: entity) { rows in
            try body(BatchInserter(description, rows))
        }
    }
}

/// Takes the rows of one batch insert.
public final class BatchInserter {
    /// The entity the rows belong to.
    public let entity: EntityDescription
    private let validator: RowValidator
    private let rows: any RowInserter

    init(_ entity: EntityDescription, _ rows: any RowInserter) {
        self.entity = entity
        self.rows = rows
        validator = RowValidator(entity)
    }

    /// Validates a row and inserts it.
    ///
    /// - Parameters:
    ///   - id: The identifier, or `nil` to number the row.
    ///   - values: The values in the order of the entity's columns.
    ///   - place: Where the row stands in its input.
    /// - Returns: The row's identifier.
    /// - Throws: ``PersistenceError`` with the place: code ``PersistenceError/Code/validation`` with every rule the row breaks,
    ///   ``PersistenceError/Code/uniqueness``, or ``PersistenceError/Code/invalidRequest`` for a row of another number of values.
    @discardableResult
    public func insert(id: Int64? = nil, values: [StoredValue], place: RowPlace) throws -> Int64 {
        guard values.count == entity.columns.count else {
            var error = PersistenceError(
                .invalidRequest, "a row of \(values.count) values; the entity has \(entity.columns.count) columns",
                entity: entity.name)
            error.place = place
            throw error
        }
        var values = values
        var failures = validator.validate(&values, id: id ?? 0)
        if let id, !identifierRange.contains(id) {
            failures.insert(
                ValidationFailure(entity: entity.name, id: id, attribute: "id", value: .integer(id), rule: .identifier),
                at: 0)
        }
        guard failures.isEmpty else {
            var error = PersistenceError(.validation, "a row breaks rules of the model:", entity: entity.name)
            error.failures = failures
            error.place = place
            throw error
        }
        return try rows.insert(id: id, values: values, place: place)
    }
}
