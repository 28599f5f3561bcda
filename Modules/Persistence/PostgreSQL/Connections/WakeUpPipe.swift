#if PostgreSQL
import Foundation
import StrataCore

/// A pipe whose signal permanently wakes the threads that wait on it.
///
/// The pipe contains one byte that no thread reads, so it remains readable.
final class WakeUpPipe: Sendable {
    private let reading: Int32
    private let writing: Int32

    /// - Throws: ``PersistenceError`` if the process has no file descriptors left.
    init(place: String) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw PersistenceError(
                .inputOutput, "no pipe can be created: \(String(cString: strerror(errno)))", path: place)
        }
        (reading, writing) = (ends[0], ends[1])
        // Child processes must not inherit the descriptors.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Wakes the threads that are waiting, and makes all later waits return immediately.
    func signal() {
        // The write cannot fail: the pipe has room, and a waiting thread retains the read end.
        _ = write(writing, [1], 1)
    }

    /// Waits until the pipe is signaled, the socket is ready, or the timeout has expired.
    ///
    /// - Parameters:
    ///   - milliseconds: The timeout in milliseconds; -1, the default, means no timeout.
    ///   - socket: The socket to wait for; -1, the default, means none.
    ///   - events: The events of poll() for which to wait on the socket (default: the socket is readable).
    /// - Returns: A Boolean value that indicates whether the pipe was signaled.
    func rings(within milliseconds: Int32 = -1, orReady socket: Int32 = -1, for events: Int32 = POLLIN) -> Bool {
        // The function poll() ignores a negative descriptor.
        var waiting = [
            pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(events), revents: 0),
        ]
        // The call fails only if a signal interrupts it.
        while poll(&waiting, nfds_t(waiting.count), milliseconds) < 0 {}
        return waiting[0].revents != 0
    }
}
#endif
