import StrataCore

/// The units of work of a context: transactions, saves outside of them, rollbacks and resets.
///
/// It has no state of its own; the savepoints of running transactions are in `PendingChanges`. It is confined to the
/// context's queue.
struct TransactionRunner {
    private let propagator: ChangePropagator
    private let saver: ContextSaver

    init(_ propagator: ChangePropagator, saver: ContextSaver) {
        self.propagator = propagator
        self.saver = saver
    }

    private var reader: ObjectReader { propagator.reader }
    private var registry: ObjectRegistry { propagator.registry }
    private var pending: PendingChanges { propagator.pending }

    /// A Boolean value that indicates whether a save would write anything.
    var hasChanges: Bool {
        pending.hasDetachedWrites || pending.hasJoinChanges(isDeleted: reader.isDeletedHere)
            || registry.all.contains(where: \.hasChanges)
    }

    /// Saves all changes, unless a transaction is running.
    func save(_ mergePolicy: MergePolicy?) throws -> SavedChanges {
        guard pending.transactionCount == 0 else {
            throw PersistenceError(
                .invalidRequest,
                "a transaction of “\(registry.name)” is running and saves at its end; remove the call of save")
        }
        return try saver.save(mergePolicy)
    }

    /// Discards the unsaved changes since the innermost running transaction began, or all unsaved changes.
    func rollback() {
        discardChanges()
        propagator.events.send(.rolledBack)
    }

    private func discardChanges() {
        reader.readAhead.clear()
        pending.rollBack(registry.all)
    }

    /// Removes every object from the context; inside a nested transaction, only discards its changes.
    func reset() {
        discardChanges()
        guard pending.transactionCount <= 1 else { return }
        propagator.reader.source.moveIfPossible()
        registry.forgetAll()
        pending.forgetSuccessors()
        pending.knowsSavedCounterparts(at: pending.time)
        pending.forgetNotices()
        propagator.events.send(.reset)
    }

    /// Runs a unit of work on objects, and returns its result with the changes that its save wrote.
    ///
    /// A nested unit of work saves nothing, so it returns no changes.
    func run<Result>(
        mergePolicy: MergePolicy?, _ body: () throws -> Result
    ) throws -> (result: Result, changes: SavedChanges) {
        let isOutermost = pending.transactionCount == 0
        guard !isOutermost || !hasChanges else {
            throw PersistenceError(
                .pendingChanges,
                "“\(registry.name)” has unsaved changes that are not this transaction's; save them or roll them back "
                    + "before")
        }
        guard isOutermost || mergePolicy == nil else {
            throw PersistenceError(
                .invalidRequest,
                "a transaction inside another has no merge policy, because the outermost saves; give it the policy")
        }
        let policy = saver.policy
        pending.beginTransaction(registry.all)
        defer { pending.endTransaction() }
        do {
            let result = try body()
            return (result, isOutermost ? try saver.save(mergePolicy) : SavedChanges())
        } catch {
            rollback()
            saver.use(policy)
            throw error
        }
    }
}
