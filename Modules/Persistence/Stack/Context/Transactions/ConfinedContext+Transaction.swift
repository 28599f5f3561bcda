import StrataCore

extension ConfinedContext {
    /// Runs a unit of work: saves the changes of `body`, or rolls all of them back.
    ///
    /// ```swift
    /// try context.transaction { context in
    ///     from.stockCount -= amount
    ///     to.stockCount += amount
    ///     try context.insert(Boss.self) { Boss(id: $0, firstName: "Ada", lastName: "Lovelace") }
    /// }
    /// ```
    ///
    /// If `body` or the save throws, or if the task is canceled before the save is written, the context regains its
    /// earlier state. New objects are detached, changed and deleted ones regain the values that were read, and
    /// ``mergePolicy`` regains its earlier value. Objects that were read remain registered. Identifiers that were
    /// returned are not returned again.
    ///
    /// Inside another transaction, the unit of work is a savepoint and saves nothing. If `body` throws, its changes are
    /// rolled back and those of the outer transaction remain. If it returns, its changes become changes of the outer
    /// transaction. A ``save(mergePolicy:)`` inside is an error. A ``rollback()`` inside returns to the beginning of
    /// the innermost transaction.
    ///
    /// Each fetch reads the present state of the store, and refreshes objects without changes. If another save changes
    /// an object after its first write here, that is a conflict. Therefore compute new values from the objects that you
    /// write to, as above. If a value was copied before a later fetch, the conflict cannot be detected.
    ///
    /// - Complexity: That of the save. A nested transaction copies the changed records of the context before it begins.
    /// - Parameters:
    ///   - mergePolicy: The policy of the save for objects that another save changed; `nil` for the policy of the
    ///     context. A nested transaction has none, because the outermost transaction saves.
    ///   - body: The work; its argument is this context.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or the errors of ``save(mergePolicy:)``. If the context already has changes,
    ///   ``PersistenceError`` with code ``PersistenceError/Code/pendingChanges``, before `body` runs.
    @discardableResult
    public func transaction<Result>(
        mergePolicy: MergePolicy? = nil, _ body: (ConfinedContext) throws -> Result
    ) throws -> Result {
        try transactionReportingChanges(mergePolicy: mergePolicy, body).result
    }

    /// Runs a unit of work, and returns its result with the changes that its save wrote.
    ///
    /// A nested unit of work writes no changes.
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
