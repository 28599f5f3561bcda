#if PostgreSQL
import Foundation
import StrataCore
import StrataSQL
import Synchronization

/// A change feed that stores commit marks in a table, which subscribers poll once per second.
///
/// It is used if the server has no notifications. A mark is a separate row, identified by its writer and the writer's
/// counter, so that two transactions never wait for each other. Marks may be committed in any order. A reader therefore
/// remembers the set of marks that it has seen, instead of the highest number.
///
/// Marks are deleted in rounds. The table's first row contains the number of the current round. A new round deletes the
/// marks that the previous round has numbered, and assigns its own number to all marks that have none. A reader that
/// has seen the previous round has seen all marks that the new round deletes; the result does not depend on clocks. A
/// reader that has missed a round may have missed marks, and therefore reports a change of every entity.
struct PostgreSQLPollingFeed: PostgreSQLChangeFeed {
    static let table = "strata_change"
    /// The SQL literal of the writer of the first row, which belongs to no store.
    private static let roundRowWriter = "''"

    let schema: String
    /// The names of the model's entities.
    let entities: Set<String>
    /// A Boolean value that indicates whether the feed only reads the table and never changes it.
    let isReadOnly: Bool
    /// The identifier of this writer, which excludes its own marks from its reads.
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

    /// The statement that drops the table if it exists.
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

    /// A condition that is true once a round has lasted ten seconds.
    ///
    /// A mark exists for at least one round, and for at most two rounds and one second.
    private static let hasLasted = "at < now() - interval '10 seconds'"

    /// The statement that returns the round, whether it has expired, and the marks of other writers.
    ///
    /// A single statement reads all of them from one snapshot.
    static let selection = """
        SELECT r.round, (r.\(hasLasted))::int, m.writer, m.number, m.entities FROM \(table) AS r \
        LEFT JOIN \(table) AS m ON m.writer NOT IN (\(roundRowWriter), $1) WHERE r.writer = \(roundRowWriter)
        """

    /// Begins a new round if the current one has expired; if several connections try, only one succeeds.
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
    /// The marks that the last poll returned.
    private var seen: Set<Mark> = []
    /// The round of the last poll; 0 before the table exists.
    private var round: Int64 = 0
    private var isFirst = true
    private var exists = false
    /// A Boolean value that indicates whether the current round has expired.
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

    /// Polls the table once and returns the entities of the new marks.
    ///
    /// The first poll returns no entities, because the subscription begins with it.
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
