#if PostgreSQL
import Foundation
import StrataCore
import StrataSQL
import Synchronization

/// A change feed that stores a mark for each commit in a table, which subscribers poll once per second.
///
/// The feed is used if the server has no notifications. A mark is a row, identified by its writer and a counter of that
/// writer, so that two transactions never wait for each other. The order in which marks are committed is undefined.
/// Therefore a subscriber remembers the set of marks that it has read, instead of the greatest number.
///
/// Marks are deleted in rounds. The first row of the table contains the number of the current round. A new round
/// deletes the marks that have the number of the previous round, and gives its own number to all marks without a
/// number. If a subscriber has polled in the previous round, it has read all marks that the new round deletes; this
/// does not depend on clocks. If it has not polled for a whole round, it may have missed marks, and therefore reports a
/// change of every entity.
struct PostgreSQLPollingFeed: PostgreSQLChangeFeed {
    static let table = "strata_change"
    /// The SQL literal for the writer of the table's first row, which is no identifier of a feed.
    private static let roundRowWriter = "''"

    let schema: String
    /// The names of the model's entities.
    let entities: Set<String>
    /// A Boolean value that indicates whether the store is read-only, so that the feed reads the table and never
    /// changes it.
    let isReadOnly: Bool
    /// The identifier of this feed as a writer, by which its own marks are excluded when it reads.
    let writer = UUID().uuidString
    private let count = Count()

    private final class Count: Sendable {
        private let number = Atomic<Int64>(0)
        func next() -> Int64 { number.add(1, ordering: .relaxed).newValue }
    }

    init(schema: String, entities: Set<String>, isReadOnly: Bool) {
        (self.schema, self.entities, self.isReadOnly) = (schema, entities, isReadOnly)
    }

    // MARK: The table

    func prepare(_ settings: PostgreSQLSettings, on connection: PostgreSQLConnection) throws {
        if try isReadOnly || connection.hasTable(Self.table, in: schema) { return }
        try connection.inTransaction {
            // If two connections create the table, the second one waits for the lock and then finds the table.
            try connection.execute(settings.lock(.alone))
            if try connection.hasTable(Self.table, in: schema) { return }
            try connection.execute(
                """
                CREATE TABLE \(Self.table) (writer text NOT NULL, number bigint NOT NULL, entities text NOT NULL, \
                round bigint NOT NULL, at timestamptz, PRIMARY KEY (writer, number))
                """)
            try connection.execute(
                "INSERT INTO \(Self.table) (writer, number, entities, round, at) VALUES (\(Self.roundRowWriter), 0, '', 0, now())"
            )
        }
    }

    /// The statement that drops the table of marks if it exists.
    static let removal = "DROP TABLE IF EXISTS \(table)"

    // MARK: Marks

    func announce(_ entities: Set<String>, on connection: PostgreSQLConnection) throws {
        try connection.run(
            "INSERT INTO \(Self.table) (writer, number, entities, round) VALUES ($1, $2, $3, 0)", .string(writer),
            .integer(count.next()), .string(PostgreSQLAnnouncement.text(of: entities)))
    }

    func subscribe(on connection: PostgreSQLConnection) throws -> any PostgreSQLChangeSubscription {
        let subscription = PostgreSQLMarkReader(self, on: connection)
        _ = try subscription.look()
        return subscription
    }

    /// A condition that is true if the current round began more than ten seconds ago.
    ///
    /// A mark exists for at least one round and at most two rounds and one second.
    private static let hasLasted = "at < now() - interval '10 seconds'"

    /// The query for the number of the current round, whether the round has expired, and the marks of other writers.
    ///
    /// One statement reads all of them, so that they are from one snapshot.
    static let selection = """
        SELECT r.round, (r.\(hasLasted))::int, m.writer, m.number, m.entities FROM \(table) AS r \
        LEFT JOIN \(table) AS m ON m.writer NOT IN (\(roundRowWriter), $1) WHERE r.writer = \(roundRowWriter)
        """

    /// Begins a new round if the current one has expired; if several connections do this at once, only one of them
    /// succeeds.
    static func tidy(on connection: PostgreSQLConnection) throws {
        try connection.inTransaction {
            let round = try connection.number(
                """
                UPDATE \(table) SET round = round + 1, at = now() \
                WHERE writer = \(roundRowWriter) AND \(hasLasted) RETURNING round
                """)
            guard let round else { return }
            try connection.run("DELETE FROM \(table) WHERE round > 0 AND writer <> \(roundRowWriter)")
            try connection.run(
                "UPDATE \(table) SET round = $1 WHERE round = 0 AND writer <> \(roundRowWriter)", .integer(round))
        }
    }
}

/// A subscription that polls the marks of other writers.
///
/// SAFETY: only one thread uses an instance at a time.
final class PostgreSQLMarkReader: PostgreSQLChangeSubscription, @unchecked Sendable {
    /// The interval between two polls, in milliseconds.
    private static let milliseconds: Int32 = 1_000

    private struct Mark: Hashable {
        let writer: String
        let number: Int64
    }

    private let feed: PostgreSQLPollingFeed
    private let connection: PostgreSQLConnection
    /// The marks that the last poll has read.
    private var seen: Set<Mark> = []
    /// The number of the deletion round that the last poll read from the table of marks; 0 if no poll has read it.
    private var round: Int64 = 0
    private var isFirst = true
    private var exists = false
    /// A Boolean value that indicates whether the round had expired at the last poll.
    private var isDue = false

    init(_ feed: PostgreSQLPollingFeed, on connection: PostgreSQLConnection) {
        (self.feed, self.connection) = (feed, connection)
    }

    func next(until wakeUp: WakeUpPipe) throws -> Set<String>? {
        while !wakeUp.rings(within: Self.milliseconds) {
            let changed = try look()
            if isDue, !feed.isReadOnly { try PostgreSQLPollingFeed.tidy(on: connection) }
            if !changed.isEmpty { return changed }
        }
        return nil
    }

    /// Polls the table once and returns the names of the entities in the new marks.
    ///
    /// The first poll returns no entities, because earlier changes do not belong to the subscription.
    func look() throws -> Set<String> {
        defer { isFirst = false }
        // The first writer creates the table, so all marks in a table that appears later are new.
        exists = try exists || connection.hasTable(PostgreSQLPollingFeed.table, in: feed.schema)
        if !exists { return [] }
        let marks = try connection.query(PostgreSQLPollingFeed.selection, [.string(feed.writer)])
        guard marks.rowCount > 0, let round = marks.field(row: 0, column: 0).integer else {
            throw PersistenceError(
                .corrupt, "\(PostgreSQLPollingFeed.table) has no first row; another program changed it",
                path: connection.place)
        }
        isDue = marks.field(row: 0, column: 1).integer == 1
        var present: Set<Mark> = []
        var changed: Set<String> = []
        for row in 0..<marks.rowCount {
            guard let writer = marks.text(row: row, column: 2),
                let number = marks.field(row: row, column: 3).integer
            else { continue }
            let mark = Mark(writer: writer, number: number)
            present.insert(mark)
            if seen.contains(mark) { continue }
            let text = marks.text(row: row, column: 4) ?? ""
            changed.formUnion(PostgreSQLAnnouncement.entities(in: text[...], of: feed.entities))
        }
        let hasMissed = round != self.round && round != self.round + 1
        (seen, self.round) = (present, round)
        if isFirst { return [] }
        return hasMissed ? feed.entities : changed
    }

    func end() { connection.close() }
}
#endif
