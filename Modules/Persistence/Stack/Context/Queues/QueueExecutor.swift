import Dispatch
import StrataCore

/// A serial executor for a tree of contexts, which knows whether the current thread is on its queue.
///
/// All contexts of a tree share one executor, so that they never wait for each other. A thread on the queue of an
/// executor may wait only for an executor of a lower rank: the main context may wait for a background context. Such
/// waits form no cycle. Any other call of `wait` on the queue of an executor stops the program at once, because it
/// could deadlock. The executor does not detect waits through other queues or semaphores.
final class QueueExecutor: SerialExecutor {
    /// A queue-specific value that identifies the executor of a queue.
    ///
    /// The identity of the queue cannot be used instead, because `DispatchQueue.main` is a new object at every access.
    private struct Mark {
        let token: ObjectIdentifier
        let name: String
        let rank: Int
    }

    private final class Token: Sendable {}

    private static let key = DispatchSpecificKey<Mark>()

    /// The only executor of the main queue; a second one would overwrite the `Mark` of the first one.
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

    /// Runs `body` on the queue and waits for its end; if the current thread is on the queue already, runs `body`
    /// immediately.
    ///
    /// - Parameters:
    ///   - context: The name of the context for which the caller waits, for messages.
    ///   - body: The work.
    /// - Returns: The result of `body`.
    func wait<Result>(for context: String, _ body: () throws -> Result) rethrows -> Result {
        if let here = DispatchQueue.getSpecific(key: Self.key) {
            if here.token == ObjectIdentifier(token) { return try body() }
            guard here.rank > rank else {
                // Users must be able to read this message in release builds too, where the message of a precondition is
                // dropped.
                fatalError(
                    "performAndWait on “\(context)” from inside “\(here.name)” could deadlock: only the main context may wait for another. "
                        + "Use await perform.")
            }
        }
        return try queue.sync(execute: body)
    }
}
