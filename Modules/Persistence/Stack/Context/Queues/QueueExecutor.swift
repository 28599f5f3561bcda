import Dispatch
import StrataCore

/// Runs a tree of contexts on one serial queue, and knows whether the current thread is on it.
///
/// One executor serves a whole tree, so that inside a tree nothing ever waits. Between trees a thread may wait only for a lower rank (the
/// main context for a background one): waits then form no cycle, and any other call of `wait` traps at once instead of hanging some day. It
/// knows the queues of contexts only: a wait through another queue or a semaphore is not seen.
final class QueueExecutor: SerialExecutor {
    /// What the queue's mark says; a queue's identity is no help, because `DispatchQueue.main` is a new object at every access.
    private struct Mark {
        let token: ObjectIdentifier
        let name: String
        let rank: Int
    }

    private final class Token: Sendable {}

    private static let key = DispatchSpecificKey<Mark>()

    /// The only executor of the main queue: a second mark would overwrite the first.
    static let main = QueueExecutor(.main, name: "main queue", rank: 1)

    let queue: DispatchQueue
    let name: String
    private let rank: Int
    private let token = Token()

    convenience init(name: String, rank: Int = 0) {
        self.init(DispatchQueue(label: "strata.\(name)"), name: name, rank: rank)
    }

    private init(_ queue: DispatchQueue, name: String, rank: Int) {
        self.queue = queue
        self.name = name
        self.rank = rank
        queue.setSpecific(key: Self.key, value: Mark(token: ObjectIdentifier(token), name: name, rank: rank))
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// Runs `body` on the queue and waits: in place when the thread is on it already.
    ///
    /// - Parameters:
    ///   - context: The name of the context that is waited for; a tree's contexts share one executor.
    ///   - body: What to run.
    /// - Returns: What `body` gives.
    func wait<Result>(for context: String, _ body: () throws -> Result) rethrows -> Result {
        if let here = DispatchQueue.getSpecific(key: Self.key) {
            if here.token == ObjectIdentifier(token) { return try body() }
            guard here.rank > rank else {
                // A person must read this in release builds too, where the message of a precondition is lost.
                fatalError(
                    "performAndWait on “\(context)” from inside “\(here.name)” could deadlock: only the main context may wait for another. "
                        + "Use await perform.")
            }
        }
        return try queue.sync(execute: body)
    }
}
