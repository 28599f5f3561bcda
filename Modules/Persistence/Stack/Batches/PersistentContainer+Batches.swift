import StrataCore

extension PersistentContainer {
    /// Changes the rows that a condition selects, in one transaction of the store and without creating objects.
    ///
    /// ```swift
    /// let raised = try container.batchUpdate(
    ///     "Employee", where: .compare(.property("salary"), .less, .constant(.integer(50_000))),
    ///     set: ["salary": .arithmetic(.property("salary"), .multiply, .constant(.integer(2)))])
    /// ```
    ///
    /// New values are calculated from the previous values of the row. They must obey the model's rules: types and
    /// bounds, uniqueness, references, and the counts of relationships. If the record's initializer rejects a row,
    /// nothing is stored. Computed attributes are updated; hooks and ``ValidatedRecord`` do not run.
    ///
    /// Rows that already have the values are unchanged. The versions of the other rows increase by one. The stack's
    /// contexts are notified as for a save.
    ///
    /// A store that supports set-based statements changes the rows itself. If the record type declares that the model
    /// alone decides (``RecordRules/model``), this is sufficient. Otherwise the changed rows are read again to create
    /// records from them.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition for the rows; `nil` selects all rows.
    ///   - values: The new values by the names of attributes and to-one relationships.
    ///   - dryRun: A Boolean value that indicates whether everything is done and checked, but nothing is stored.
    /// - Returns: The changed rows, or the rows that would be changed.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a property that cannot be
    ///   set, ``PersistenceError/Code/uniqueness``, ``PersistenceError/Code/danglingReference``,
    ///   ``PersistenceError/Code/arithmetic`` or ``PersistenceError/Code/validation``. A validation error has up to 100
    ///   failures. Each failure contains its object, and the broken rule or the error of the initializer. Nothing is
    ///   stored then.
    /// - Complexity: O(*n*) in the number of rows that the condition reads; 8 bytes of memory for each changed row. If
    ///   a unique value is calculated, all of its rows are in memory at once.
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

    /// Deletes the rows that a condition selects, in one transaction of the store and without creating objects.
    ///
    /// The delete rules of relationships are applied as for a context's deletions: cascades delete more rows, remaining
    /// rows lose their references, and the rule `deny` aborts the batch. A row that loses a reference must still be
    /// accepted by its record's initializer. Hooks and ``ValidatedRecord`` do not run. The stack's contexts are
    /// notified as for a save.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition for the rows; `nil` selects all rows.
    ///   - dryRun: A Boolean value that indicates whether everything is done and checked, but nothing is stored.
    /// - Returns: The deleted rows, or the rows that would be deleted.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` and the rows whose deletion is
    ///   denied, or that may not lose their reference; with code ``PersistenceError/Code/danglingReference`` if a
    ///   relationship without a delete rule still references a row. Nothing is stored then.
    /// - Complexity: O(*n*) in the number of rows that the condition reads and the rows that they reference. If the
    ///   store deletes the rows itself, 8 bytes of memory for each row that is deleted or loses a reference. Otherwise
    ///   some hundred bytes: if a rule denies the deletion, or if cascades reach an entity again or in two ways.
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

    /// Updates all rows of an entity to the values that their records store.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - willCommit: A closure that is called before changed rows are committed.
    /// - Returns: The number of changed rows. Rows that the record type rejects are unchanged.
    /// - Throws: The errors of ``batchUpdate(_:where:set:dryRun:)``.
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

    /// Runs a batch unless the current task is canceled before the commit, and notifies the contexts of the changes.
    ///
    /// The batch first runs with set-based statements. If that is impossible or fails, it runs row by row in another
    /// transaction.
    private func inTransaction(
        _ dryRun: Bool, _ body: (any StoreTransaction, _ bySets: Bool) throws -> BatchResult
    ) throws -> BatchResult {
        let result: BatchResult
        do {
            result = try inTransaction(dryRun, bySets: true, body)
        } catch is FallbackToRows {
            result = try inTransaction(dryRun, bySets: false, body)
        }
        if !dryRun { coordinator.publish(StoreChange(result.touched), from: nil) }
        return result
    }

    private func inTransaction(
        _ dryRun: Bool, bySets: Bool, _ body: (any StoreTransaction, _ bySets: Bool) throws -> BatchResult
    ) throws -> BatchResult {
        var result: BatchResult?
        try coordinator.invalidatingCacheOnUnknownOutcome(coordinator.model.entities.map(\.name)) {
            try coordinator.store.transaction { transaction in
                result = try body(transaction, bySets)
                // A cancellation during the last writes also rolls back the batch.
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
