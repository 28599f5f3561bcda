import StrataCore

extension ConfinedContext {
    /// Runs a unit of work: saves what `body` changed, or takes all of it back.
    ///
    /// ```swift
    /// try context.transaction { context in
    ///     from.stockCount -= amount
    ///     to.stockCount += amount
    ///     try context.insert(Boss.self) { Boss(id: $0, firstName: "Ada", lastName: "Lovelace") }
    /// }
    /// ```
    ///
    /// Where `body` or the save throws, or the task is cancelled before the save is written, the context is as it was: new objects are
    /// detached, changed and deleted ones are as they were read, and ``mergePolicy`` is what it was. What was read stays. Identifiers that were
    /// given are not given again.
    ///
    /// Inside another transaction it is a savepoint: nothing is saved, where `body` throws its changes are taken back and the outer one's stay, and
    /// where it returns its changes are the outer one's. ``save(mergePolicy:)`` inside is an error, ``rollback()`` takes back to the innermost beginning.
    ///
    /// Each fetch sees the store as it is then, and refreshes what has no changes; an object that somebody else changes after its first write here is a
    /// conflict. So compute from the objects that you write to, as above: from a value that was copied before a further fetch, nobody can tell.
    ///
    /// - Complexity: That of the save. A nested one copies the changed records of the context before it begins.
    /// - Parameters:
    ///   - mergePolicy: What the save does about objects that somebody else changed; `nil` for the context's own policy. A nested one has none: the
    ///     outermost saves.
    ///   - body: The work, given this context.
    /// - Returns: What `body` gives.
    /// - Throws: What `body` throws; ``PersistenceError`` with code ``PersistenceError/Code/pendingChanges``, before `body` runs, when the context has
    ///   changes already; or as ``save(mergePolicy:)``.
    @discardableResult
    public func transaction<Result>(
        mergePolicy: MergePolicy? = nil, _ body: (ConfinedContext) throws -> Result
    ) throws -> Result {
        try transactionReportingChanges(mergePolicy: mergePolicy, body).result
    }

    /// Runs a unit of work, and returns its result with the changes that its save wrote; a nested one writes none.
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
