import StrataCore

/// Runs work repeatedly until it succeeds, fails with an error of another code, or reaches the maximum number of
/// attempts.
///
/// The function waits between the attempts, longer each time.
///
/// - Parameters:
///   - count: The maximum number of repetitions.
///   - codes: The codes of the errors after which the work is repeated.
///   - clock: The clock that measures the waits.
///   - isolation: The actor on which the work runs.
///   - work: The work. Its argument is the number of earlier attempts.
/// - Returns: The result of the work.
/// - Throws: The error of the last attempt; `CancellationError` if the task is canceled during a wait.
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
    /// The codes of errors that may not occur again when the same work is repeated: ``Code/conflict`` and
    /// ``Code/locked``.
    public static let passingCodes: Set<Code> = [.conflict, .locked]
}

extension Duration {
    /// Returns a random delay before the next attempt, so that two conflicting transactions do not conflict again.
    fileprivate static func retryDelay(afterAttempt attempt: Int) -> Duration {
        .microseconds(Int64.random(in: 0...min(10_000 << Int64(min(attempt, 10)), 1_000_000)))
    }
}
