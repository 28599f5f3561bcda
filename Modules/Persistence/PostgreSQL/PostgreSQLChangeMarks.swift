#if PostgreSQL
import Foundation
import StrataCore
import StrataSQL
import Synchronization

/// Tells others by rows of a table that they read once a second: where the server has no notifications.
///
/// A mark is a row of its own, named by its writer and the writer's count, so that no two transactions wait for each other. They are committed in any order; who
/// reads them remembers which ones were there, and not how far the numbers went.
///
/// Marks go in rounds. A round takes away the marks that the one before has found, and notes which ones there are now; its number is in the table's first row. Who has
/// seen the number before it has seen all that it takes away, whatever the clocks say; who has missed a round may have missed marks, and takes all for changed.
struct PostgreSQLChangeMarks: PostgreSQLChangeFeed {
    static let table = "strata_change"
    /// The writer of the first row, which is none.
    private static let nobody = "''"

    let schema: String
    /// The names of the model's entities.
    let entities: Set<String>
    /// Whether it only listens, and leaves the table as it is.
    let isReadOnly: Bool
    /// Who writes, so that it does not listen to itself.
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
            // Of two who make it the second one finds it.
            try connection.execute(settings.lock(.alone))
            if try connection.hasTable(Self.table, in: schema) { return }
            try connection.execute(
                """
                CREATE TABLE \(Self.table) (writer text NOT NULL, number bigint NOT NULL, entities text NOT NULL, \
                round bigint NOT NULL, at timestamptz, PRIMARY KEY (writer, number))
                """)
            try connection.execute(
                "INSERT INTO \(Self.table) (writer, number, entities, round, at) VALUES (\(Self.nobody), 0, '', 0, now())"
            )
        }
    }

    /// Takes it away, where there is one.
    static let removal = "DROP TABLE IF EXISTS \(table)"

    // MARK: Marks

    func tell(_ entities: Set<String>, on connection: PostgreSQLConnection) throws {
        try connection.run(
            "INSERT INTO \(Self.table) (writer, number, entities, round) VALUES ($1, $2, $3, 0)", .string(writer),
            .integer(count.next()), .string(PostgreSQLAnnouncement.text(of: entities)))
    }

    func hearing(on connection: PostgreSQLConnection) throws -> any PostgreSQLHearing {
        let hearing = PostgreSQLMarkReader(self, on: connection)
        _ = try hearing.look()
        return hearing
    }

    /// How long a round lasts: a mark is there for one at least, and not for more than a second longer than two.
    private static let hasLasted = "at < now() - interval '10 seconds'"

    /// Gives the round, whether it has lasted long enough, and others' marks beside it: of one state, as one statement sees it.
    static let selection = """
        SELECT r.round, (r.\(hasLasted))::int, m.writer, m.number, m.entities FROM \(table) AS r \
        LEFT JOIN \(table) AS m ON m.writer NOT IN (\(nobody), $1) WHERE r.writer = \(nobody)
        """

    /// Begins a new round where the last one is old enough; of several who try only one does.
    static func tidy(on connection: PostgreSQLConnection) throws {
        try connection.inTransaction {
            let round = try connection.number(
                """
                UPDATE \(table) SET round = round + 1, at = now() \
                WHERE writer = \(nobody) AND \(hasLasted) RETURNING round
                """)
            guard let round else { return }
            try connection.run("DELETE FROM \(table) WHERE round > 0 AND writer <> \(nobody)")
            try connection.run(
                "UPDATE \(table) SET round = $1 WHERE round = 0 AND writer <> \(nobody)", .integer(round))
        }
    }
}

/// Reads the marks of others.
///
/// SAFETY: one thread uses it at a time.
final class PostgreSQLMarkReader: PostgreSQLHearing, @unchecked Sendable {
    /// How long to wait between two looks.
    private static let milliseconds: Int32 = 1_000

    private struct Mark: Hashable {
        let writer: String
        let number: Int64
    }

    private let feed: PostgreSQLChangeMarks
    private let connection: PostgreSQLConnection
    /// The marks that were there at the last look.
    private var seen: Set<Mark> = []
    /// The round of the last look; the first of all before the table was there.
    private var round: Int64 = 0
    private var isFirst = true
    private var isThere = false
    /// Whether it is time for another round.
    private var isDue = false

    init(_ feed: PostgreSQLChangeMarks, on connection: PostgreSQLConnection) {
        (self.feed, self.connection) = (feed, connection)
    }

    func next(until alarm: PostgreSQLAlarm) throws -> Set<String>? {
        while !alarm.rings(within: Self.milliseconds) {
            let heard = try look()
            if isDue, !feed.isReadOnly { try PostgreSQLChangeMarks.tidy(on: connection) }
            if !heard.isEmpty { return heard }
        }
        return nil
    }

    /// The entities of the marks that were not there before; none at the first look, from which on others are heard.
    func look() throws -> Set<String> {
        defer { isFirst = false }
        // Made by the first one who writes: what is in it then is new.
        isThere = try isThere || connection.hasTable(PostgreSQLChangeMarks.table, in: feed.schema)
        if !isThere { return [] }
        let marks = try connection.query(PostgreSQLChangeMarks.selection, [.string(feed.writer)])
        guard marks.rowCount > 0, let round = marks.field(row: 0, column: 0).integer else {
            throw PersistenceError(
                .corrupt, "\(PostgreSQLChangeMarks.table) has no first row; another program changed it",
                path: connection.place)
        }
        isDue = marks.field(row: 0, column: 1).integer == 1
        var present: Set<Mark> = []
        var heard: Set<String> = []
        for row in 0..<marks.rowCount {
            guard let writer = marks.text(row: row, column: 2),
                let number = marks.field(row: row, column: 3).integer
            else { continue }
            let mark = Mark(writer: writer, number: number)
            present.insert(mark)
            if seen.contains(mark) { continue }
            let text = marks.text(row: row, column: 4) ?? ""
            heard.formUnion(PostgreSQLAnnouncement.entities(in: text[...], of: feed.entities))
        }
        let hasMissed = round != self.round && round != self.round + 1
        (seen, self.round) = (present, round)
        if isFirst { return [] }
        return hasMissed ? feed.entities : heard
    }

    func end() { connection.close() }
}
#endif
