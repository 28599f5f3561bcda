#if PostgreSQL
import CStrataPostgreSQL
import Foundation
import StrataCore

extension PostgreSQLConnection {
    /// Continues an attempt to connect until it succeeds or fails; a signal of `wakeUp` makes it fail.
    static func goOn(_ handle: OpaquePointer, unless wakeUp: WakeUpPipe) {
        // libpq specifies this state before its first answer (postgresql.org/docs/15/libpq-connect.html,
        // PQconnectPoll).
        var step = PGRES_POLLING_WRITING
        while step == PGRES_POLLING_WRITING || step == PGRES_POLLING_READING, PQstatus(handle) != CONNECTION_BAD {
            let events = step == PGRES_POLLING_WRITING ? POLLOUT : POLLIN
            if wakeUp.rings(orReady: PQsocket(handle), for: Int32(events)) { return }
            step = PQconnectPoll(handle)
        }
    }

    /// The socket of the connection for poll(), which is readable when the server has sent data or has ended the
    /// connection.
    var socket: Int32 { PQsocket(handle) }

    /// Returns the payloads of the notifications that were received since the previous call; does not wait.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/inputOutput`` if the connection has ended.
    func takeNotifications() throws -> [String] {
        guard isStillConnected else {
            throw PersistenceError(.inputOutput, "the server ended the connection", path: place)
        }
        var payloads: [String] = []
        while let notification = PQnotifies(handle) {
            payloads.append(notification.pointee.extra.map { String(cString: $0) } ?? "")
            PQfreemem(notification)
        }
        return payloads
    }
}
#endif
