#if PostgreSQL
import Foundation
import StrataCore

/// Wakes a thread that waits, for good: a pipe into which a byte is written that nobody reads.
final class PostgreSQLAlarm: Sendable {
    private let reading: Int32
    private let writing: Int32

    /// - Throws: ``PersistenceError`` where the process has no file descriptors left.
    init(place: String) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw PersistenceError(
                .inputOutput, "no pipe can be made: \(String(cString: strerror(errno)))", path: place)
        }
        (reading, writing) = (ends[0], ends[1])
        // Programs that are started meanwhile have no use for them.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Wakes who waits, and everybody who waits later.
    func ring() {
        // The pipe has room, and who waits has its other end.
        _ = write(writing, [1], 1)
    }

    /// Waits until it rings, a socket is ready, or the time is over.
    ///
    /// - Parameters:
    ///   - milliseconds: The time; without end unless it is given.
    ///   - socket: The socket; none where only the time counts.
    ///   - events: What it is to be ready for, as poll() has it: to be read unless it is given.
    /// - Returns: Whether it rang.
    func rings(within milliseconds: Int32 = -1, orReady socket: Int32 = -1, for events: Int32 = POLLIN) -> Bool {
        // A socket whose number is negative is not looked at.
        var waiting = [
            pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(events), revents: 0),
        ]
        // Fails only where a signal interrupts it.
        while poll(&waiting, nfds_t(waiting.count), milliseconds) < 0 {}
        return waiting[0].revents != 0
    }
}
#endif
