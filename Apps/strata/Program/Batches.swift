import Dispatch
import StrataPersistence
import Synchronization

/// Changes of many records at once, which a signal takes back.
enum Batches {
    static let dryRunOption = OptionSpecification.flag(
        "dry-run", "Do everything but store, and say what would be done.")

    /// The store, which has to be there.
    static func description(_ arguments: ParsedArguments) throws -> PersistentStoreDescription {
        var description = try Stores.description(arguments)
        description.createsStore = false
        description.busyTimeout = try Stores.busyTimeout(arguments) ?? description.busyTimeout
        return description
    }

    /// A batch that a task runs, and then what came of it.
    private enum Work {
        case waiting(@Sendable () throws -> BatchResult)
        case ended(Result<BatchResult, any Error>)
    }

    /// Runs a batch; a signal cancels it, and the store takes back what it did.
    ///
    /// The stack looks for cancelled work while it reads rows and before it commits. What waits longer than the grace of
    /// ``Interruption``, as for another process's lock, ends with the process, and nothing is stored either.
    static func run(
        _ interruption: Interruption, isQuiet: Bool,
        _ body: @escaping @Sendable () throws -> BatchResult
    ) throws -> BatchResult {
        let bar = ProgressBar(nil, isQuiet: isQuiet)
        defer { bar.end() }
        let work = Mutex(Work.waiting(body))
        let isDone = DispatchSemaphore(value: 0)
        let task = Task {
            // What the batch holds is released before its end is told: the process may be over before the task is.
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

    /// What a batch did beyond the records it was asked for, as in `changed 3 Employee records`.
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
