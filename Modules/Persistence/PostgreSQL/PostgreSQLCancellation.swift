#if PostgreSQL
import CStrataPostgreSQL
import Foundation

/// A request to the server to end a running statement that the caller has canceled.
final class PostgreSQLCancellation {
    /// The interval between two checks for cancellation, in milliseconds; users perceive it as immediate.
    private static let pause: Int32 = 50

    private let isCancelled: @Sendable () -> Bool
    /// The count of checks between two cancel requests.
    ///
    /// The server ignores a request that arrives before its statement, so the request is repeated.
    private static let looksBetweenRequests = 20

    /// A Boolean value that indicates whether the server was asked to cancel the statement.
    private(set) var hasCancelled = false

    init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }

    /// Waits until a result of the running statement is available.
    func wait(_ handle: OpaquePointer) {
        var looks = 0
        while PQisBusy(handle) == 1 {
            var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            _ = poll(&descriptor, 1, Self.pause)
            // A lost connection is reported by its result.
            guard PQconsumeInput(handle) == 1 else { return }
            guard hasCancelled || isCancelled() else { continue }
            if looks % Self.looksBetweenRequests == 0 { cancel(handle) }
            looks += 1
        }
    }

    /// Sends the cancel request on a separate connection; if that fails, the statement runs to its end.
    private func cancel(_ handle: OpaquePointer) {
        hasCancelled = true
        guard let request = PQgetCancel(handle) else { return }
        defer { PQfreeCancel(request) }
        var reason = [CChar](repeating: 0, count: 256)
        _ = PQcancel(request, &reason, Int32(reason.count))
    }
}
#endif
