/// Runs the batches of a container, one after the other, on a queue of its own.
actor BatchQueue {
    /// The rank lets the block of a batch read through contexts.
    private let executor = QueueExecutor(name: "batches", rank: 2)

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs `body` in the current task, so that it sees its cancellation.
    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) throws -> Result { try body() }
}
