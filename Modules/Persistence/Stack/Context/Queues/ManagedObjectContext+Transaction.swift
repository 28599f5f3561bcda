import StrataCore

extension ManagedObjectContext {
    /// Runs a unit of work over objects on the context's queue, without blocking a thread meanwhile.
    ///
    /// The context saves the changes of `body`, or rolls all of them back.
    ///
    /// ```swift
    /// let count = try await context.performTransaction { context in
    ///     let item = try context.existingObject(with: id, of: Item.self)
    ///     item.stockCount += 12
    ///     return item.stockCount
    /// }
    /// ```
    ///
    /// If `body` or the save throws, or if the task is canceled before the save is written, the context rolls back
    /// everything that `body` did, and nothing else. A later cancellation has no effect. For nested transactions, see
    /// ``ConfinedContext/transaction(mergePolicy:_:)``.
    ///
    /// - Parameters:
    ///   - mergePolicy: The policy of the save for objects that another save changed; `nil` for the policy of the
    ///     context.
    ///   - body: The work. It runs on the context's queue.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or the errors of ``ConfinedContext/save(mergePolicy:)``. If the context already
    ///   has unsaved changes, ``PersistenceError`` with code ``PersistenceError/Code/pendingChanges``, before `body`
    ///   runs.
    @discardableResult
    public func performTransaction<Result: Sendable>(
        mergePolicy: MergePolicy? = nil, _ body: @Sendable (ConfinedContext) throws -> Result
    ) async throws -> Result {
        try perform { try $0.transaction(mergePolicy: mergePolicy, body) }
    }

    /// Runs a unit of work on the context's queue and waits for it.
    ///
    /// For the callers that may wait, see ``performAndWait(_:)``.
    ///
    /// - Parameters:
    ///   - mergePolicy: The policy of the save for objects that another save changed; `nil` for the policy of the
    ///     context.
    ///   - body: The work. It runs on the context's queue. Inside another transaction of this context, it is a
    ///     savepoint.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of ``ConfinedContext/transaction(mergePolicy:_:)``.
    @discardableResult
    public nonisolated func performTransactionAndWait<Result: Sendable>(
        mergePolicy: MergePolicy? = nil, _ body: @Sendable (ConfinedContext) throws -> Result
    ) throws -> Result {
        try performAndWait { try $0.transaction(mergePolicy: mergePolicy, body) }
    }

    /// Runs a unit of work, and repeats it with fresh objects after a conflict.
    ///
    /// A conflict occurs if another save changed an object of the unit of work in between. The repetition ensures that
    /// no update is lost. The method repeats the work only after ``PersistenceError/Code/conflict`` and
    /// ``PersistenceError/Code/locked``. Before each further attempt it waits a random time of up to 10 milliseconds,
    /// then 20, 40, and so on up to one second. Other work of the context continues during the wait.
    ///
    /// - Parameters:
    ///   - count: The maximum number of further attempts, 0 or more.
    ///   - mergePolicy: The policy of the save for objects that another save changed; `nil` for the policy of the
    ///     context. A conflict is only what the policy does not resolve.
    ///   - clock: The clock for the waits. A test passes a clock that does not wait.
    ///   - body: The work. It may run several times, so its effects must be such that a rollback can undo them.
    /// - Returns: The result of `body` in the attempt that was saved.
    /// - Throws: The error of the last attempt, as ``ConfinedContext/transaction(mergePolicy:_:)`` throws it;
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

/// The deprecated names of earlier versions.
///
/// A unit of work over records as values is named `transaction`, and one over objects is named `performTransaction`.
extension ManagedObjectContext {
    /// Runs a unit of work over objects.
    @available(*, deprecated, renamed: "performTransaction(mergePolicy:_:)")
    @discardableResult
    public func transaction<Result: Sendable>(
        mergePolicy: MergePolicy? = nil, _ body: @Sendable (ConfinedContext) throws -> Result
    ) async throws -> Result {
        try await performTransaction(mergePolicy: mergePolicy, body)
    }

    /// Runs a unit of work over objects and waits for it.
    @available(*, deprecated, renamed: "performTransactionAndWait(mergePolicy:_:)")
    @discardableResult
    public nonisolated func transaction<Result: Sendable>(
        mergePolicy: MergePolicy? = nil, _ body: @Sendable (ConfinedContext) throws -> Result
    ) throws -> Result {
        try performTransactionAndWait(mergePolicy: mergePolicy, body)
    }

    /// Runs a unit of work over objects, and repeats it after a conflict.
    @available(*, deprecated, renamed: "performTransaction(retrying:mergePolicy:clock:_:)")
    @discardableResult
    public func transaction<Result: Sendable>(
        retrying count: Int, mergePolicy: MergePolicy? = nil, clock: some Clock<Duration> = ContinuousClock(),
        _ body: @Sendable (ConfinedContext) throws -> Result
    ) async throws -> Result {
        try await performTransaction(retrying: count, mergePolicy: mergePolicy, clock: clock, body)
    }
}
