import StrataCore

extension PersistentContainer {
    /// Changes the rows that a condition selects: in the store, in one transaction, without making objects.
    ///
    /// ```swift
    /// let raised = try container.batchUpdate(
    ///     "Employee", where: .compare(.property("salary"), .less, .constant(.integer(50_000))),
    ///     set: ["salary": .arithmetic(.property("salary"), .multiply, .constant(.integer(2)))])
    /// ```
    ///
    /// New values are calculated from the row as it was, and obey the model's rules: types and bounds, uniqueness, references, how many objects a
    /// relationship leads to. What the record's initialiser refuses is not stored, and computed attributes follow; hooks and ``ValidatedRecord`` do not run.
    /// Rows that have the values already stay as they are; the others' versions rise by one, and the stack's contexts are told as of a save.
    ///
    /// A store that can do it changes the rows by itself where the record type says that the model decides alone (``RecordRules/model``); otherwise it does so
    /// too, and the rows that changed are read once more, to make records of them.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: Which rows; `nil` for all.
    ///   - values: The new values by attribute or to-one relationship.
    ///   - dryRun: Whether everything is done, and checked, but nothing is stored.
    /// - Returns: What was changed, or would have been.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for what cannot be set,
    ///   ``PersistenceError/Code/validation`` with up to 100 failures, each with its object and the broken rule or what the initialiser said,
    ///   ``PersistenceError/Code/uniqueness``, ``PersistenceError/Code/danglingReference`` or ``PersistenceError/Code/arithmetic``; nothing is stored then.
    /// - Complexity: O(*n*) in the rows that the condition looks at; 8 bytes of memory for each that changes, but for unique values that are calculated, whose rows are
    ///   in memory at once.
    @discardableResult
    public func batchUpdate(
        _ entity: String, where condition: FetchCondition? = nil, set values: [String: FetchOperand],
        dryRun: Bool = false
    ) throws -> BatchResult {
        let update = try BatchUpdate(model, entity: entity, condition: condition, values: values)
        return try inTransaction(dryRun) { transaction, bySets in
            let (selectedCount, updated) = try update.run(in: transaction, bySets: bySets)
            return BatchResult(
                selectedCount: selectedCount, identifiers: updated, isDryRun: dryRun,
                touched: TouchedRows(updated: updated.isEmpty ? [:] : [entity: updated]))
        }
    }

    /// Deletes the rows that a condition selects: in the store, in one transaction, without making objects.
    ///
    /// The delete rules of relationships are carried out as for a context's deletions: what they cascade to goes too, what stays loses its references, and
    /// what is denied ends the batch. What loses a reference is still accepted by its record's initialiser; hooks and ``ValidatedRecord`` do not run. The stack's
    /// contexts are told as of a save.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: Which rows; `nil` for all.
    ///   - dryRun: Whether everything is done, and checked, but nothing is stored.
    /// - Returns: What was deleted, or would have been.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` and what was denied, or may not lose its reference; with code
    ///   ``PersistenceError/Code/danglingReference`` where a relationship without a delete rule still leads to a row. Nothing is stored then.
    /// - Complexity: O(*n*) in the rows that the condition looks at and what they lead to; 8 bytes of memory for each that goes or loses a reference, where the store
    ///   deletes by itself, and some hundred otherwise: where something denies the deletion, or a cascade leads back to an entity or reaches it in two ways.
    @discardableResult
    public func batchDelete(
        _ entity: String, where condition: FetchCondition? = nil, dryRun: Bool = false
    ) throws -> BatchResult {
        let description = try StoreRequest(entity, where: condition).validate(in: model)
        return try inTransaction(dryRun) { transaction, bySets in
            let (selected, touched) = try BatchDeletion.run(
                description, where: condition, in: transaction, bySets: bySets)
            return BatchResult(
                selectedCount: selected.count, identifiers: selected, isDryRun: dryRun, touched: touched)
        }
    }

    /// Gives all rows of an entity the values that their records store.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - willCommit: Called before rows are committed that changed.
    /// - Returns: The number of rows that changed. Rows that the record type rejects stay as they are.
    /// - Throws: As ``batchUpdate(_:where:set:dryRun:)``.
    func completeRows(of entity: EntityDescription, _ willCommit: () throws -> Void) throws -> Int {
        let update = BatchUpdate(completing: entity, in: model)
        return try inTransaction(false, bySets: false) { transaction, _ in
            let updated = try update.run(in: transaction, bySets: false).updated
            if !updated.isEmpty { try willCommit() }
            return BatchResult(
                selectedCount: updated.count, identifiers: updated, isDryRun: false,
                touched: TouchedRows(updated: [entity.name: updated]))
        }.selectedCount
    }

    /// Runs a batch unless the current task is cancelled before it is committed, and tells the contexts what it stored.
    ///
    /// By sets first, and where that cannot be, or is refused, row by row in another transaction.
    private func inTransaction(
        _ dryRun: Bool, _ body: (any StoreTransaction, _ bySets: Bool) throws -> BatchResult
    ) throws -> BatchResult {
        let result: BatchResult
        do {
            result = try inTransaction(dryRun, bySets: true, body)
        } catch is RowsNeeded {
            result = try inTransaction(dryRun, bySets: false, body)
        }
        if !dryRun { coordinator.publish(StoreChange(result.touched), from: nil) }
        return result
    }

    private func inTransaction(
        _ dryRun: Bool, bySets: Bool, _ body: (any StoreTransaction, _ bySets: Bool) throws -> BatchResult
    ) throws -> BatchResult {
        var result: BatchResult?
        try coordinator.lookingAfterwards(coordinator.model.entities.map(\.name)) {
            try coordinator.store.transaction { transaction in
                result = try body(transaction, bySets)
                // What was cancelled while the last rows were written is taken back as well.
                try CancellableReading.check()
                return dryRun ? .rollBack : .commit
            }
        }
        guard let result else {
            throw PersistenceError(.database, "the store ended a transaction that it never began")
        }
        return result
    }
}
