#if PostgreSQL
import CStrataPostgreSQL
import Foundation
import StrataCore

extension PostgreSQLConnection {
    /// Continues to connect until the attempt succeeds, fails, or is canceled, which counts as a failure.
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

    /// The socket for poll(): it becomes readable when the server sends data or the connection ends.
    var socket: Int32 { PQsocket(handle) }

    /// Returns the payloads of the notifications that have arrived, without waiting.
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
