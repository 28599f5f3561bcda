import Hummingbird
import NIOCore

/// Runs work, and cancels it at a deadline.
///
/// - Throws: ``Problem`` with status 503 after the deadline; the error of the work.
func withTimeLimit<Result: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        // The group has two tasks, so it has a first result.
        guard let first = try await group.next(), let result = first else {
            throw Problem.unavailable("timeout", "the request took more than \(limit)")
        }
        return result
    }
}

/// Writes a block of a stream, unless the client does not read it in time.
///
/// - Throws: ``Problem`` after the limit, so that a client that stops reading does not retain a snapshot or a stream.
func writeBlock(_ buffer: ByteBuffer, to writer: inout any ResponseBodyWriter, within limit: Duration) async throws {
    // SAFETY: this function waits for the task that uses the copy, so that no two tasks use the writer at once.
    nonisolated(unsafe) var copy = writer
    try await withTimeLimit(limit) { try await copy.write(buffer) }
    writer = copy
}
