import StrataCore

extension ConfinedContext {
    /// Runs a unit of work on objects, and either saves all its changes or rolls all of them back.
    ///
    /// ```swift
    /// try context.transaction { context in
    ///     from.stockCount -= amount
    ///     to.stockCount += amount
    ///     try context.insert(Boss.self) { Boss(id: $0, firstName: "Ada", lastName: "Lovelace") }
    /// }
    /// ```
    ///
    /// If `body` or the save throws an error, or if the task is canceled before the save is written, the context
    /// returns to its earlier state. New objects are detached, changed and deleted objects regain the values that were
    /// last read, and ``mergePolicy`` regains its earlier value. Objects that `body` read remain in the context.
    /// Identifiers that were returned to `body` are never returned again.
    ///
    /// Inside another transaction, the unit of work is a savepoint and saves nothing. If `body` throws an error, only
    /// its changes are rolled back; those of the outer transaction remain. If `body` returns, its changes become
    /// changes of the outer transaction. A call of ``save(mergePolicy:)`` inside `body` throws an error. A
    /// ``rollback()`` inside `body` returns to the beginning of the innermost transaction.
    ///
    /// Each fetch reads the present state of the store, and refreshes objects without unsaved changes. If another save
    /// changes an object after `body` first wrote to it, that is a conflict. Therefore compute new values from the
    /// objects that you write to, as in the example. If you copy a value and fetch the object again afterwards, the
    /// conflict cannot be detected.
    ///
    /// - Complexity: That of ``save(mergePolicy:)``. A nested transaction first copies the changed records of the
    ///   context.
    /// - Parameters:
    ///   - mergePolicy: The policy for objects that another save changed; `nil` uses the policy of the context. It has
    ///     no effect in a nested transaction, because the outermost transaction saves.
    ///   - body: The work; its argument is this context.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or the errors of ``save(mergePolicy:)``. If the context has unsaved changes
    ///   before `body` runs, ``PersistenceError`` with code ``PersistenceError/Code/pendingChanges``.
    @discardableResult
    public func transaction<Result>(
        mergePolicy: MergePolicy? = nil, _ body: (ConfinedContext) throws -> Result
    ) throws -> Result {
        try transactionReportingChanges(mergePolicy: mergePolicy, body).result
    }

    /// Runs a unit of work on objects, and returns its result with the changes that its save wrote.
    ///
    /// A nested unit of work saves nothing, so it returns no changes.
    func transactionReportingChanges<Result>(
        mergePolicy: MergePolicy?, _ body: (ConfinedContext) throws -> Result
    ) throws -> (result: Result, changes: SavedChanges) {
        let isOutermost = savepoints.isEmpty
        guard !isOutermost || !hasChanges else {
            throw PersistenceError(
                .pendingChanges,
                "“\(name)” has unsaved changes that are not this transaction's; save them or roll them back before")
        }
        guard isOutermost || mergePolicy == nil else {
            throw PersistenceError(
                .invalidRequest,
                "a transaction inside another has no merge policy, because the outermost saves; give it the policy")
        }
        let policy = policy
        savepoints.append(makeSavepoint())
        defer { savepoints.removeLast() }
        do {
            let result = try body(self)
            return (result, isOutermost ? try saveChanges(mergePolicy) : SavedChanges())
        } catch {
            rollback()
            self.policy = policy
            throw error
        }
    }
}
