#if PostgreSQL
import CStrataPostgreSQL
import Foundation
import StrataCore
import StrataSQL

/// A change feed that uses NOTIFY (postgresql.org/docs/15/sql-notify.html).
///
/// The server sends a notification when the transaction is committed, so that other connections can read its changes.
struct PostgreSQLNotifications: PostgreSQLChangeFeed {
    /// The maximum size of a notification's payload in bytes; the server requires less than 8,000 bytes.
    private static let largestByteCount = 7_999

    /// The name of the notification channel of the store's schema.
    ///
    /// The name contains a hash of the schema's name, because a name on the server has at most 63 bytes, and the
    /// schema's name may already have 63 bytes.
    let channel: String
    /// The names of the model's entities.
    let entities: Set<String>
    /// The identifier of this feed, by which it recognizes and ignores its own notifications.
    private let writer = UUID().uuidString

    init(schema: String, entities: Set<String>) {
        channel = "strata_" + String(StableHash.fnv1a(schema.utf8), radix: 16)
        self.entities = entities
    }

    /// Does nothing, because the server needs no database objects for notifications.
    func prepare(_ settings: PostgreSQLSettings, on connection: PostgreSQLConnection) throws {}

    func announce(_ entities: Set<String>, on connection: PostgreSQLConnection) throws {
        let room = Self.largestByteCount - writer.utf8.count - 1
        let text = PostgreSQLAnnouncement.text(of: entities, atMost: room)
        try connection.run("SELECT pg_notify($1, $2)", .string(channel), .string("\(writer) \(text)"))
    }

    func subscribe(on connection: PostgreSQLConnection) throws -> any PostgreSQLChangeSubscription {
        try connection.execute("LISTEN \(PostgreSQLSettings.quoted(channel))")
        return Subscription(feed: self, connection: connection)
    }

    /// Returns the entities that a payload names; the result is empty if this feed has sent the payload.
    private func entities(in payload: String) -> Set<String> {
        let parts = payload.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        if parts[0] == writer { return [] }
        return PostgreSQLAnnouncement.entities(in: parts.count > 1 ? parts[1] : "", of: entities)
    }

    private struct Subscription: PostgreSQLChangeSubscription {
        let feed: PostgreSQLNotifications
        let connection: PostgreSQLConnection

        func next(until wakeUp: WakeUpPipe) throws -> Set<String>? {
            while true {
                let changed = try connection.takeNotifications().reduce(into: Set()) {
                    $0.formUnion(feed.entities(in: $1))
                }
                if !changed.isEmpty { return changed }
                if wakeUp.rings(orReady: connection.socket) { return nil }
            }
        }

        func end() { connection.close() }
    }
}

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
