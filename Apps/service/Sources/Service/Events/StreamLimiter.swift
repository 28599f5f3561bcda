import Synchronization

/// The limit of open event streams in the process and of each client.
final class StreamLimiter: Sendable {
    /// The permission for one stream, which ends when the response is released, also if it was never sent.
    final class Permit: Sendable {
        private let limiter: StreamLimiter
        private let client: String

        fileprivate init(_ limiter: StreamLimiter, _ client: String) { (self.limiter, self.client) = (limiter, client) }

        deinit { limiter.end(client) }
    }

    private let maximum: Int
    private let maximumPerClient: Int
    private let counts = Mutex<[String: Int]>([:])

    init(maximum: Int, maximumPerClient: Int) { (self.maximum, self.maximumPerClient) = (maximum, maximumPerClient) }

    /// The count of open streams.
    var count: Int { counts.withLock { $0.values.reduce(0, +) } }

    /// Returns a permission, or `nil` if a limit is reached.
    func permit(for client: String) -> Permit? {
        let isPermitted = counts.withLock { counts in
            guard counts.values.reduce(0, +) < maximum, counts[client, default: 0] < maximumPerClient else {
                return false
            }
            counts[client, default: 0] += 1
            return true
        }
        return isPermitted ? Permit(self, client) : nil
    }

    private func end(_ client: String) {
        counts.withLock { counts in
            counts[client, default: 1] -= 1
            if counts[client] == 0 { counts[client] = nil }
        }
    }
}
