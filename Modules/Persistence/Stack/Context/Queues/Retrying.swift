import StrataCore

/// Does work until it succeeds, fails for good, or was tried so many times more; waits in between, longer each time.
///
/// - Parameters:
///   - count: How many further attempts there may be.
///   - codes: The codes of errors after which it is tried again.
///   - clock: Draws the waits.
///   - isolation: Where the work is done.
///   - work: The work, given how many attempts there were before.
/// - Returns: What the work gives.
/// - Throws: The last attempt's error; `CancellationError` when the task is cancelled while it waits.
func retry<Result: Sendable>(
    _ count: Int, after codes: Set<PersistenceError.Code> = PersistenceError.passingCodes,
    _ clock: some Clock<Duration>, isolation: isolated (any Actor)? = #isolation,
    _ work: (_ attempt: Int) async throws -> Result
) async throws -> Result {
    var attempt = 0
    while true {
        do {
            return try await work(attempt)
        } catch let error as PersistenceError where codes.contains(error.code) && attempt < count {
            try await clock.sleep(for: .retryDelay(afterAttempt: attempt))
            attempt += 1
        }
    }
}

extension PersistenceError {
    /// The codes of errors after which the same work may succeed: ``Code/conflict`` and ``Code/locked``.
    public static let passingCodes: Set<Code> = [.conflict, .locked]
}

extension Duration {
    /// A random time, so that those who met once do not meet again.
    fileprivate static func retryDelay(afterAttempt attempt: Int) -> Duration {
        .microseconds(Int64.random(in: 0...min(10_000 << Int64(min(attempt, 10)), 1_000_000)))
    }
}
