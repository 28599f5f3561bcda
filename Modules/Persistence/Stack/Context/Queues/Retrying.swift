import StrataCore

/// Does work until it succeeds, fails for good, or was tried so many times more; waits in between, longer each time.
///
/// - Parameters:
///   - count: How many further attempts there may be.
///   - clock: Draws the waits.
///   - isolation: Where the work is done.
///   - work: The work, given how many attempts there were before.
/// - Returns: What the work gives.
/// - Throws: The last attempt's error; `CancellationError` when the task is cancelled while it waits.
func retry<Result: Sendable>(
    _ count: Int, _ clock: some Clock<Duration>, isolation: isolated (any Actor)? = #isolation,
    _ work: (_ attempt: Int) async throws -> Result
) async throws -> Result {
    var attempt = 0
    while true {
        do {
            return try await work(attempt)
        } catch let error as PersistenceError where error.mayPass && attempt < count {
            try await clock.sleep(for: .retryDelay(afterAttempt: attempt))
            attempt += 1
        }
    }
}

extension PersistenceError {
    /// Whether the same work may succeed when it is done again.
    fileprivate var mayPass: Bool { code == .conflict || code == .locked }
}

extension Duration {
    /// A random time, so that those who met once do not meet again.
    fileprivate static func retryDelay(afterAttempt attempt: Int) -> Duration {
        .microseconds(Int64.random(in: 0...min(10_000 << Int64(min(attempt, 10)), 1_000_000)))
    }
}
