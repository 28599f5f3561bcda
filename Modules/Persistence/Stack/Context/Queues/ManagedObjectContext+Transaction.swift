import StrataCore

extension ManagedObjectContext {
    /// Runs a unit of work on objects on the context's queue, without blocking a thread while it waits.
    ///
    /// The context either saves all changes of `body` or rolls all of them back.
    ///
    /// ```swift
    /// let count = try await context.performTransaction { context in
    ///     let item = try context.existingObject(with: id, of: Item.self)
    ///     item.stockCount += 12
    ///     return item.stockCount
    /// }
    /// ```
    ///
    /// If `body` or the save throws an error, or if the task is canceled before the save is written, the context rolls
    /// back everything that `body` did, but no earlier changes. A later cancellation has no effect. For nested
    /// transactions, see ``ConfinedContext/transaction(mergePolicy:_:)``.
    ///
    /// - Parameters:
    ///   - mergePolicy: The policy for objects that another save changed; `nil` uses the policy of the context.
    ///   - body: The work, which runs on the context's queue.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or the errors of ``ConfinedContext/save(mergePolicy:)``. If the context has
    ///   unsaved changes before `body` runs, ``PersistenceError`` with code ``PersistenceError/Code/pendingChanges``.
    @discardableResult
    public func performTransaction<Result: Sendable>(
        mergePolicy: MergePolicy? = nil, _ body: @Sendable (ConfinedContext) throws -> Result
    ) async throws -> Result {
        try perform { try $0.transaction(mergePolicy: mergePolicy, body) }
    }

    /// Runs a unit of work on objects on the context's queue and waits for its end.
    ///
    /// For the threads that may call this method, see ``performAndWait(_:)``.
    ///
    /// - Parameters:
    ///   - mergePolicy: The policy for objects that another save changed; `nil` uses the policy of the context.
    ///   - body: The work, which runs on the context's queue. Inside another transaction of this context, the work is a
    ///     savepoint, which saves nothing.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of ``ConfinedContext/transaction(mergePolicy:_:)``.
    @discardableResult
    public nonisolated func performTransactionAndWait<Result: Sendable>(
        mergePolicy: MergePolicy? = nil, _ body: @Sendable (ConfinedContext) throws -> Result
    ) throws -> Result {
        try performAndWait { try $0.transaction(mergePolicy: mergePolicy, body) }
    }

    /// Runs a unit of work on objects, and repeats the work with newly read objects after a conflict.
    ///
    /// A conflict occurs if another save changed an object after the unit of work read it. Because of the repetition,
    /// no update is lost. The method repeats the work only after ``PersistenceError/Code/conflict`` and
    /// ``PersistenceError/Code/locked``. It waits a random time before each repetition: up to 10 milliseconds before
    /// the first one, then up to 20, 40, and so on, at most one second. Other work of the context continues during the
    /// wait.
    ///
    /// - Parameters:
    ///   - count: The maximum number of repetitions, 0 or more.
    ///   - mergePolicy: The policy for objects that another save changed; `nil` uses the policy of the context. The
    ///     work is repeated only after a conflict that the policy does not resolve.
    ///   - clock: The clock that measures the waits. Tests pass a clock that does not wait.
    ///   - body: The work. It may run several times, so it must not have effects that a rollback cannot undo.
    /// - Returns: The result of `body` in the attempt that was saved.
    /// - Throws: The error of the last attempt, which is one of ``ConfinedContext/transaction(mergePolicy:_:)``;
    ///   `CancellationError` if the task is canceled during a wait.
    @discardableResult
    public func performTransaction<Result: Sendable>(
        retrying count: Int, mergePolicy: MergePolicy? = nil, clock: some Clock<Duration> = ContinuousClock(),
        _ body: @Sendable (ConfinedContext) throws -> Result
    ) async throws -> Result {
        try await retry(count, clock) { attempt in
            try self.perform { context in
                // Other work of the context may have made changes during the wait. The refresh must not touch them; the
                // transaction then throws `pendingChanges`.
                if attempt > 0, !context.hasChanges { try context.refreshAllObjects() }
                return try context.transaction(mergePolicy: mergePolicy, body)
            }
        }
    }
}

/// Deprecated names of the transaction methods.
///
/// Now, `transaction` runs a unit of work on records, and `performTransaction` runs one on objects.
extension ManagedObjectContext {
    /// Runs a unit of work on objects; use ``performTransaction(mergePolicy:_:)``.
    @available(*, deprecated, renamed: "performTransaction(mergePolicy:_:)")
    @discardableResult
    public func transaction<Result: Sendable>(
        mergePolicy: MergePolicy? = nil, _ body: @Sendable (ConfinedContext) throws -> Result
    ) async throws -> Result {
        try await performTransaction(mergePolicy: mergePolicy, body)
    }

    /// Runs a unit of work on objects and waits for its end; use ``performTransactionAndWait(mergePolicy:_:)``.
    @available(*, deprecated, renamed: "performTransactionAndWait(mergePolicy:_:)")
    @discardableResult
    public nonisolated func transaction<Result: Sendable>(
        mergePolicy: MergePolicy? = nil, _ body: @Sendable (ConfinedContext) throws -> Result
    ) throws -> Result {
        try performTransactionAndWait(mergePolicy: mergePolicy, body)
    }

    /// Runs a unit of work on objects, and repeats it after a conflict; use
    /// `performTransaction(retrying:mergePolicy:clock:_:)`.
    @available(*, deprecated, renamed: "performTransaction(retrying:mergePolicy:clock:_:)")
    @discardableResult
    public func transaction<Result: Sendable>(
        retrying count: Int, mergePolicy: MergePolicy? = nil, clock: some Clock<Duration> = ContinuousClock(),
        _ body: @Sendable (ConfinedContext) throws -> Result
    ) async throws -> Result {
        try await performTransaction(retrying: count, mergePolicy: mergePolicy, clock: clock, body)
    }
}
