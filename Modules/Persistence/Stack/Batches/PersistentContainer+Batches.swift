import StrataCore
import StrataStoreKit

extension PersistentContainer {
    /// Changes the rows that a condition selects, in one transaction of the store and without creating objects.
    ///
    /// ```swift
    /// let raised = try container.batchUpdate(
    ///     "Employee", where: .compare(.property("salary"), .less, .constant(.integer(50_000))),
    ///     set: ["salary": .arithmetic(.property("salary"), .multiply, .constant(.integer(2)))])
    /// ```
    ///
    /// Each new value is a constant or is calculated from the previous values of its row. New values must satisfy the
    /// model's rules: types and bounds, uniqueness, references, and the count limits of relationships. If the record's
    /// initializer rejects a row, nothing is stored. Computed attributes are updated. Hooks and ``ValidatedRecord`` do
    /// not run.
    ///
    /// A row that already has the new values is unchanged. The version of every other selected row increases by one.
    /// The contexts of this container are notified as for a save.
    ///
    /// If the store supports set-based statements, the store changes the rows itself. With ``RecordRules/model``, no
    /// row is then read. With any other rules, the changed rows are read again to create records from them.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity whose rows are changed.
    ///   - condition: The condition that selects the rows; `nil` selects all rows of the entity.
    ///   - values: The new values, by the names of attributes and to-one relationships.
    ///   - dryRun: A Boolean value that indicates whether the batch makes all checks, but stores nothing.
    /// - Returns: The changed rows; for a dry run, the rows that would be changed.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a property cannot be set,
    ///   ``PersistenceError/Code/uniqueness``, ``PersistenceError/Code/danglingReference``,
    ///   ``PersistenceError/Code/arithmetic`` or ``PersistenceError/Code/validation``. A validation error contains up
    ///   to 100 failures, each with the invalid object and either the broken rule or the error of the record's
    ///   initializer. If the method throws, nothing is stored.
    /// - Complexity: O(*n*) in the number of rows that the store reads to evaluate the condition; 8 bytes of memory for
    ///   each changed row. If the new value of a unique attribute is calculated, the values of that attribute in all
    ///   changed rows are in memory at once.
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
    /// The delete rules of relationships apply as in a context: cascades delete more rows, and rows that are not
    /// deleted lose their references to deleted rows. A relationship with the rule `deny` makes the batch fail. The
    /// record's initializer must accept each row that loses a reference. Hooks and ``ValidatedRecord`` do not run. The
    /// contexts of this container are notified as for a save.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity whose rows are deleted.
    ///   - condition: The condition that selects the rows; `nil` selects all rows of the entity.
    ///   - dryRun: A Boolean value that indicates whether the batch makes all checks, but stores nothing.
    /// - Returns: The deleted rows; for a dry run, the rows that would be deleted.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` if a rule denies the deletion of a
    ///   row, or if a row may not lose its reference; the error contains these rows. With code
    ///   ``PersistenceError/Code/danglingReference`` if a relationship without a delete rule still references a deleted
    ///   row. If the method throws, nothing is stored.
    /// - Complexity: O(*n*) in the number of rows that the condition reads and of the rows that they reference. If the
    ///   store deletes the rows with set-based statements, each row that is deleted or loses a reference needs 8 bytes
    ///   of memory. If a rule denies the deletion, or if cascades reach an entity repeatedly, each such row needs some
    ///   hundred bytes.
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

    /// Replaces the values of each row of an entity by the values of the record created from the row.
    ///
    /// - Parameters:
    ///   - entity: The entity whose rows are updated.
    ///   - willCommit: A closure that is called before the changed rows are committed.
    /// - Returns: The number of changed rows. A row that the record type rejects is not changed.
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

    /// Runs a batch in a transaction, and notifies the contexts of the changes.
    ///
    /// The batch first runs with set-based statements. If that is impossible or fails, the batch runs row by row in
    /// another transaction. If the current task is canceled before the commit, nothing is stored.
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
            try coordinator.operate(.batch, nil) { rows in
                try coordinator.writing(in: nil) {
                    try coordinator.store.transaction { transaction in
                        let written = try body(transaction, bySets)
                        (result, rows) = (written, written.selectedCount)
                        // A cancellation during the last writes also rolls back the batch.
                        try CancellableReading.check()
                        return dryRun ? .rollBack : .commit
                    }
                }
            }
        }
        guard let result else {
            throw PersistenceError(.database, "the store ended a transaction that it never began")
        }
        return result
    }
}
