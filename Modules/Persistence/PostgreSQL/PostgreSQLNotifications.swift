#if PostgreSQL
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
#endif
