import StrataCore

extension ManagedObjectContext {
    /// Runs a unit of work over objects on the context's queue, without blocking a thread meanwhile: saves what `body` changed, or takes all of it back.
    ///
    /// ```swift
    /// let count = try await context.performTransaction { context in
    ///     let item = try context.existingObject(with: id, of: Item.self)
    ///     item.stockCount += 12
    ///     return item.stockCount
    /// }
    /// ```
    ///
    /// Where `body` or the save throws, or the task is cancelled before the save is written, everything that `body` did is taken back and nothing
    /// else is; a cancellation that comes later changes nothing. See ``ConfinedContext/transaction(mergePolicy:_:)`` for transactions inside others.
    ///
    /// - Parameters:
    ///   - mergePolicy: What the save does about objects that somebody else changed; `nil` for the context's own policy.
    ///   - body: The work. It runs on the context's queue.
    /// - Returns: What `body` gives.
    /// - Throws: What `body` throws; ``PersistenceError`` with code ``PersistenceError/Code/pendingChanges``, before `body` runs, when the context has
    ///   unsaved changes already; or as ``ConfinedContext/save(mergePolicy:)``.
    @discardableResult
    public func performTransaction<Result: Sendable>(
        mergePolicy: MergePolicy? = nil, _ body: @Sendable (ConfinedContext) throws -> Result
    ) async throws -> Result {
        try perform { try $0.transaction(mergePolicy: mergePolicy, body) }
    }

    /// Runs a unit of work on the context's queue and waits for it; where it may wait is said at ``performAndWait(_:)``.
    ///
    /// - Parameters:
    ///   - mergePolicy: What the save does about objects that somebody else changed; `nil` for the context's own policy.
    ///   - body: The work. It runs on the context's queue; inside another transaction of this context, it is a savepoint.
    /// - Returns: What `body` gives.
    /// - Throws: As ``ConfinedContext/transaction(mergePolicy:_:)``.
    @discardableResult
    public nonisolated func performTransactionAndWait<Result: Sendable>(
        mergePolicy: MergePolicy? = nil, _ body: @Sendable (ConfinedContext) throws -> Result
    ) throws -> Result {
        try performAndWait { try $0.transaction(mergePolicy: mergePolicy, body) }
    }

    /// Runs a unit of work, and again where somebody else came between: from objects that are read again, so that no update is lost.
    ///
    /// Again after ``PersistenceError/Code/conflict`` and ``PersistenceError/Code/locked``, and after nothing else. Before each further attempt it waits,
    /// a random time of up to 10 milliseconds, then 20, 40 and so on up to a second; other work of the context goes on meanwhile.
    ///
    /// - Parameters:
    ///   - count: How many further attempts there may be, 0 or more.
    ///   - mergePolicy: What the save does about objects that somebody else changed; `nil` for the context's own policy. Only what the policy does
    ///     not resolve is a conflict.
    ///   - clock: Draws the waits; a test gives one that does not wait.
    ///   - body: The work. It may run several times, so it does nothing that cannot be taken back.
    /// - Returns: What `body` gives in the attempt that was saved.
    /// - Throws: As ``ConfinedContext/transaction(mergePolicy:_:)``, the last attempt's error; `CancellationError` when the task is cancelled while it waits.
    @discardableResult
    public func performTransaction<Result: Sendable>(
        retrying count: Int, mergePolicy: MergePolicy? = nil, clock: some Clock<Duration> = ContinuousClock(),
        _ body: @Sendable (ConfinedContext) throws -> Result
    ) async throws -> Result {
        try await retry(count, clock) { attempt in
            try self.perform { context in
                // Somebody else's changes, made while it waited, are not this transaction's to read again; it says so.
                if attempt > 0, !context.hasChanges { try context.refreshAllObjects() }
                return try context.transaction(mergePolicy: mergePolicy, body)
            }
        }
    }
}

/// The names of earlier versions. A unit of work over records as values is called `transaction`, and one over objects `performTransaction`.
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

    /// Runs a unit of work over objects, and again after a conflict.
    @available(*, deprecated, renamed: "performTransaction(retrying:mergePolicy:clock:_:)")
    @discardableResult
    public func transaction<Result: Sendable>(
        retrying count: Int, mergePolicy: MergePolicy? = nil, clock: some Clock<Duration> = ContinuousClock(),
        _ body: @Sendable (ConfinedContext) throws -> Result
    ) async throws -> Result {
        try await performTransaction(retrying: count, mergePolicy: mergePolicy, clock: clock, body)
    }
}
