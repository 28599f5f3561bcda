#if PostgreSQL
import CStrataPostgreSQL
import Foundation

/// A cancellation, which asks the server to end the running statement if the caller has canceled the operation.
final class PostgreSQLCancellation {
    /// The interval between two checks for cancellation, in milliseconds; to users, the reaction appears immediate.
    private static let pause: Int32 = 50

    private let isCancelled: @Sendable () -> Bool
    /// The count of checks for cancellation between two requests to the server.
    ///
    /// The server ignores a request that it receives before the statement. Therefore the request is repeated.
    private static let looksBetweenRequests = 20

    /// A Boolean value that indicates whether the server was asked to end the statement.
    private(set) var hasCancelled = false

    init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }

    /// Waits until the running statement has a result; sends requests to end the statement if the caller cancels.
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

    /// Sends a request to end the running statement on a separate connection; if sending fails, the statement
    /// continues.
    private func cancel(_ handle: OpaquePointer) {
        hasCancelled = true
        guard let request = PQgetCancel(handle) else { return }
        defer { PQfreeCancel(request) }
        var reason = [CChar](repeating: 0, count: 256)
        _ = PQcancel(request, &reason, Int32(reason.count))
    }
}
#endif
