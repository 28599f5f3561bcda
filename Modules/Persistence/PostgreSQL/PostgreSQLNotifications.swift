#if PostgreSQL
import Foundation
import StrataCore
import StrataSQL

/// Tells others by NOTIFY (postgresql.org/docs/15/sql-notify.html): the server sends it when the transaction is committed, and others can see it.
struct PostgreSQLNotifications: PostgreSQLChangeFeed {
    /// A payload has less than 8,000 bytes.
    private static let largestByteCount = 7_999

    /// One for each schema of a database; a name on the server has 63 bytes at most, which the schema's own may have.
    let channel: String
    /// The names of the model's entities.
    let entities: Set<String>
    /// Who speaks, so that it does not listen to itself.
    private let writer = UUID().uuidString

    init(schema: String, entities: Set<String>) {
        channel = "strata_" + String(StableHash.fnv1a(schema.utf8), radix: 16)
        self.entities = entities
    }

    /// The server has it.
    func prepare(_ settings: PostgreSQLSettings, on connection: PostgreSQLConnection) throws {}

    func tell(_ entities: Set<String>, on connection: PostgreSQLConnection) throws {
        let room = Self.largestByteCount - writer.utf8.count - 1
        let text = PostgreSQLAnnouncement.text(of: entities, atMost: room)
        try connection.run("SELECT pg_notify($1, $2)", .string(channel), .string("\(writer) \(text)"))
    }

    func hearing(on connection: PostgreSQLConnection) throws -> any PostgreSQLHearing {
        try connection.execute("LISTEN \(PostgreSQLSettings.quoted(channel))")
        return Hearing(feed: self, connection: connection)
    }

    /// The entities that a payload names; none where this store has sent it.
    private func entities(in payload: String) -> Set<String> {
        let parts = payload.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        if parts[0] == writer { return [] }
        return PostgreSQLAnnouncement.entities(in: parts.count > 1 ? parts[1] : "", of: entities)
    }

    private struct Hearing: PostgreSQLHearing {
        let feed: PostgreSQLNotifications
        let connection: PostgreSQLConnection

        func next(until alarm: PostgreSQLAlarm) throws -> Set<String>? {
            while true {
                let heard = try connection.takeNotifications().reduce(into: Set()) {
                    $0.formUnion(feed.entities(in: $1))
                }
                if !heard.isEmpty { return heard }
                if alarm.rings(orReady: connection.socket) { return nil }
            }
        }

        func end() { connection.close() }
    }
}
#endif
