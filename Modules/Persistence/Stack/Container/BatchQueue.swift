/// An actor that runs the batches of a container one after another on its own queue.
actor BatchQueue {
    /// The executor of the queue; its rank allows the closure of a batch to read through contexts.
    private let executor = QueueExecutor(name: "batches", rank: 2)

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs `body` on the queue in the current task, so that `body` detects the cancellation of the task.
    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) throws -> Result { try body() }
}
