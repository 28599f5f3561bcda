import Dispatch
import StrataPersistence
import Synchronization

/// Changes of many records in one transaction, which a signal rolls back.
enum Batches {
    static let dryRunOption = OptionSpecification.flag(
        "dry-run", "Report the changes, and store nothing.")

    /// Returns the description of the store, which must exist.
    static func description(_ arguments: ParsedArguments) throws -> PersistentStoreDescription {
        var description = try Stores.description(arguments)
        description.createsStore = false
        description.busyTimeout = try Stores.busyTimeout(arguments) ?? description.busyTimeout
        return description
    }

    /// A batch that a task runs, or the result of the batch.
    private enum Work {
        case waiting(@Sendable () throws -> BatchResult)
        case ended(Result<BatchResult, any Error>)
    }

    /// Runs a batch; a signal cancels it, and the store rolls back its changes.
    ///
    /// The persistence stack checks for cancellation while it reads rows and before it commits. If a batch does not
    /// react within the grace period of ``Interruption``, for example because it waits for another process's lock, the
    /// process exits, and nothing is stored either.
    static func run(
        _ interruption: Interruption, isQuiet: Bool,
        _ body: @escaping @Sendable () throws -> BatchResult
    ) throws -> BatchResult {
        let bar = ProgressBar(nil, isQuiet: isQuiet)
        defer { bar.end() }
        let work = Mutex(Work.waiting(body))
        let isDone = DispatchSemaphore(value: 0)
        let task = Task {
            // The batch's resources are released before the semaphore is signaled, because the process can exit before
            // the task ends.
            work.withLock { work in
                guard case .waiting(let body) = work else { return }
                work = .ended(Result { try body() })
            }
            isDone.signal()
        }
        while isDone.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
            if interruption.progress.isUnnoticed { task.cancel() }
            bar.showElapsedTime()
        }
        guard case .ended(let outcome) = work.withLock({ $0 }) else { throw CancellationError() }
        if case .failure(is CancellationError) = outcome { _ = interruption.isCancelled() }
        return try outcome.get()
    }

    /// Returns the changes of a batch to records that were not selected, such as `changed 3 Employee records`.
    static func sideEffects(_ result: BatchResult, of entity: String) -> [String] {
        func counts(_ verb: String, _ rows: [String: Set<Int64>]) -> [String] {
            rows.sorted { $0.key < $1.key }.compactMap { name, ids in
                let others = name == entity ? ids.subtracting(result.identifiers) : ids
                return others.isEmpty ? nil : "\(verb) \(Stores.counted(others.count, name))"
            }
        }
        return counts("deleted", result.changes.deleted) + counts("changed", result.changes.updated)
    }
}
