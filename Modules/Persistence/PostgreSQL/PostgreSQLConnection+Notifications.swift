#if PostgreSQL
import CStrataPostgreSQL
import StrataCore

extension PostgreSQLConnection {
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
