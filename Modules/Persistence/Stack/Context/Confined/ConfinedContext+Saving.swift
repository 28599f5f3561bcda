import StrataCore
import StrataStoreKit

/// The saves and transactions of a context, and the merging of other contexts' saves.
extension ConfinedContext {
    /// The maximum number of attempts of a save; an attempt fails if another save changes the same data first.
    private static let maximumAttempts = 100

    /// Saves all changes to the parent: to the store in one transaction, or to the parent context.
    ///
    /// The save applies the delete rules, runs the hooks, and validates every object. Either all changes are saved or
    /// none. In a parent context they become unsaved changes. If the save fails, this context retains its changes, so
    /// that the caller can correct and save them again.
    ///
    /// - Parameter mergePolicy: The policy for objects that another save changed; `nil` uses the policy of the context.
    /// - Returns: The saved changes, which are empty if the context has no changes.
    /// - Throws: ``PersistenceError`` with one of these codes: ``PersistenceError/Code/validation`` with all failures
    ///   if objects are invalid. ``PersistenceError/Code/conflict`` or ``PersistenceError/Code/uniqueness`` with all
    ///   conflicts that the policy does not resolve. ``PersistenceError/Code/danglingReference`` if a referenced object
    ///   does not exist. ``PersistenceError/Code/detachedObject`` if a deleted or detached object was written to.
    ///   ``PersistenceError/Code/locked`` if another process or connection locked the store for longer than the busy
    ///   timeout. ``PersistenceError/Code/unreadable`` if a row that the save must read forms no valid record. Also
    ///   `CancellationError` if the task was canceled before anything was written, the unchanged error of a hook or of
    ///   a custom policy, and the errors of the store.
    @discardableResult
    public func save(mergePolicy: MergePolicy? = nil) throws -> SavedChanges {
        try transactions.save(mergePolicy)
    }

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
        try transactions.run(mergePolicy: mergePolicy) { try body(self) }
    }

    // MARK: Merging

    /// Merges changes that another context saved into this context.
    ///
    /// Objects without unsaved changes receive the stored values. In objects with unsaved changes, unchanged properties
    /// receive the stored values. An object that the other context deleted is detached, unless it has unsaved changes,
    /// in which case the next save reports the conflict. If both contexts changed a property, the conflict remains for
    /// the merge policy of the next save.
    ///
    /// If ``ManagedObjectContext/automaticallyMergesChangesFromParent`` is `true`, the context performs such merges
    /// automatically.
    ///
    /// - Parameter changes: The changes that the save of the other context returned.
    /// - Throws: ``PersistenceError`` if the store cannot be read; in this case nothing is merged.
    public func mergeChanges(from changes: SavedChanges) throws {
        try merger.mergeChanges(StoreChange(changes, origin: .context(name)))
    }

    /// Merges the stored values of objects with given identifiers into this context, because another program reports
    /// that it changed or deleted them.
    ///
    /// The objects are merged as by ``mergeChanges(from:)``. Identifiers of which this context has no object are
    /// ignored. The method corresponds to Core Data's `mergeChanges(fromRemoteContextSave:into:)`.
    ///
    /// - Parameter identifiers: The identifiers of the changed and deleted objects, by the name of their entity.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for an entity that the model
    ///   does not have, or with another code if the store cannot be read; in both cases nothing is merged.
    public func mergeChanges(of identifiers: [String: Set<Int64>]) throws {
        let changes = try identifiers.map { (try coordinator.model.entity(named: $0).name, ChangedIdentifiers($1)) }
        try merger.mergeChanges(
            StoreChange(updated: Dictionary(changes, uniquingKeysWith: { $1 }), deleted: [:]))
    }

    /// Reads an object's row again, immediately.
    ///
    /// If the object was never saved, it has no row and is unchanged. If this context deleted the object, it remains
    /// deleted.
    ///
    /// - Parameters:
    ///   - object: The object to refresh.
    ///   - mergeChanges: A Boolean value that indicates whether unsaved changes of the object are retained; otherwise
    ///     they are discarded.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/objectNotFound`` if the row does not exist any
    ///   more. In this case, an object without changes to retain is detached; any other object is unchanged, and the
    ///   next save reports the conflict. With code ``PersistenceError/Code/unreadable`` if the row forms no valid
    ///   record, and with code ``PersistenceError/Code/validation`` if the row together with the retained changes forms
    ///   none. Errors of a hook are rethrown. After these errors the object is unchanged.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
        try merger.refresh(object, mergeChanges: mergeChanges)
    }

    /// Reads the rows of all objects in the context again, immediately, and retains unsaved changes.
    ///
    /// If another save changed a property that also has an unsaved change, this is no longer a conflict. The method
    /// executes one statement for each entity. An object without unsaved changes whose row does not exist any more is
    /// detached.
    public func refreshAllObjects() throws { try merger.refreshAllObjects() }
}
