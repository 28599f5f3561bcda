#if PostgreSQL
import CStrataPostgreSQL
import Foundation
import StrataCore

extension PostgreSQLConnection {
    /// Goes on with connecting until it is done, has failed, or is called off: it is as if it had failed then.
    static func goOn(_ handle: OpaquePointer, unless alarm: PostgreSQLAlarm) {
        // As libpq has it before it has said anything (postgresql.org/docs/15/libpq-connect.html, PQconnectPoll).
        var step = PGRES_POLLING_WRITING
        while step == PGRES_POLLING_WRITING || step == PGRES_POLLING_READING, PQstatus(handle) != CONNECTION_BAD {
            let events = step == PGRES_POLLING_WRITING ? POLLOUT : POLLIN
            if alarm.rings(orReady: PQsocket(handle), for: Int32(events)) { return }
            step = PQconnectPoll(handle)
        }
    }

    /// What can be waited for with poll(): it is readable when the server has sent something, or the connection has ended.
    var socket: Int32 { PQsocket(handle) }

    /// The payloads of the notifications that have come; waits for none.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/inputOutput`` where the connection has ended.
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
