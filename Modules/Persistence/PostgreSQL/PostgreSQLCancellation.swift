#if PostgreSQL
import CStrataPostgreSQL
import Foundation

/// Has the server end a statement that somebody does not want any more.
final class PostgreSQLCancellation {
    /// How long is between two looks, in milliseconds: a person takes it for at once.
    private static let pause: Int32 = 50

    private let isCancelled: @Sendable () -> Bool
    /// The server forgets a request that comes before its statement; after so many looks it is asked again.
    private static let looksBetweenRequests = 20

    /// Whether the server was asked to.
    private(set) var hasCancelled = false

    init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }

    /// Waits until a result of the statement that runs is here.
    func wait(_ handle: OpaquePointer) {
        var looks = 0
        while PQisBusy(handle) == 1 {
            var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            _ = poll(&descriptor, 1, Self.pause)
            // A connection that is lost says so with its result.
            guard PQconsumeInput(handle) == 1 else { return }
            guard hasCancelled || isCancelled() else { continue }
            if looks % Self.looksBetweenRequests == 0 { cancel(handle) }
            looks += 1
        }
    }

    /// Asks the server on a connection of its own; that it cannot be asked leaves the statement to its end.
    private func cancel(_ handle: OpaquePointer) {
        hasCancelled = true
        guard let request = PQgetCancel(handle) else { return }
        defer { PQfreeCancel(request) }
        var reason = [CChar](repeating: 0, count: 256)
        _ = PQcancel(request, &reason, Int32(reason.count))
    }
}
#endif
