#if PostgreSQL
import Foundation
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataPostgreSQL

/// The faults that a check finds in a store on a server that another program changed, and the repairs.
///
/// StoreTests contains the tests for files.
@Suite("Checks of stores on a server", .enabled(if: Server.connection != nil, "make test-postgres starts a server"))
struct CheckTests {
    /// A club, which has one to two members and any number of badges.
    struct Club: PersistentRecord {
        let id: RecordID<Club>
        var name: String
        var founded: Date?

        static let members = ToMany<Club, Member>(
            "members", to: "Member", inverse: "club", isOptional: false, minimumCount: 1, maximumCount: 2)
        static let badges = ToMany<Club, Badge>("badges", to: "Badge", inverse: "clubs")
        static let entity = RecordEntity<Club>(
            "Club", id: \.id,
            [
                .attribute("name", \.name, rules: [.minimumLength(1)], isUnique: true),
                .attribute("founded", \.founded, isIndexed: true), .relationship(members), .relationship(badges),
            ]
        ) { Club(id: try $0.id(), name: try $0.next(), founded: try $0.next()) }
    }

    /// A member, whose initializer rejects values that the model allows.
    struct Member: PersistentRecord {
        let id: RecordID<Member>
        var rank: Int16
        var isActive: Bool
        var club: RecordID<Club>?

        static let entity = RecordEntity<Member>(
            "Member", id: \.id,
            [
                .attribute("rank", \.rank), .attribute("isActive", \.isActive),
                .toOne("club", \.club, to: "Club", inverse: "members"),
            ]
        ) { row in
            let member = Member(
                id: try row.id(), rank: try row.next(), isActive: try row.next(), club: try row.next())
            if member.rank == 13 { throw Unlucky() }
            return member
        }
    }

    struct Unlucky: Error, CustomStringConvertible {
        var description: String { "13 is no rank" }
    }

    struct Badge: PersistentRecord {
        let id: RecordID<Badge>

        static let clubs = ToMany<Badge, Club>("clubs", to: "Club", inverse: "badges")
        static let entity = RecordEntity<Badge>("Badge", id: \.id, [.relationship(clubs)]) { Badge(id: try $0.id()) }
    }

    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Club.self, Member.self, Badge.self])
    }

    private let schema = "check \(UUID().uuidString)"
    private var settings: PostgreSQLSettings { PostgreSQLSettings(Server.connection ?? "", schema: schema) }
    private var description: PersistentStoreDescription {
        PersistentStoreDescription(PostgreSQLStoreProvider(settings))
    }

    /// Creates clubs 1 and 2, members 1, 2 and 3, and badges 1 and 2 of club 1.
    init() throws {
        let stack = try PersistentContainer(model: try Self.model(), description, mainQueue: .private)
        try stack.backgroundContext.performAndWait { context in
            let clubs = try (1...2).map { try #require(RecordID<Club>(rawValue: $0)) }
            let first = try context.insert(Club(id: clubs[0], name: "Chess", founded: nil))
            let day = Date(timeIntervalSinceReferenceDate: 0)
            try context.insert(Club(id: clubs[1], name: "Rowing", founded: day))
            for (number, club) in [(1, clubs[0]), (2, clubs[0]), (3, clubs[1])] {
                let id = try #require(RecordID<Member>(rawValue: Int64(number)))
                try context.insert(Member(id: id, rank: Int16(number), isActive: true, club: club))
            }
            let badges = try (1...2).map { try context.insert(Badge(id: try #require(RecordID(rawValue: $0)))) }
            try context.set(badges, as: \.badges, of: first)
            try context.save()
        }
        try stack.close()
    }

    private func spoil(_ sql: String) throws {
        var settings = settings
        let connection = try settings.connectFirst()
        defer { connection.close() }
        // The statements run one by one, as nodes of Citus require.
        for statement in sql.split(separator: ";") { try connection.execute(String(statement)) }
    }

    private func check(repairing: Bool = false) throws -> (faults: [String], summary: StoreCheckSummary) {
        var options = StoreCheckOptions()
        options.repairs = repairing
        var faults: [String] = []
        let summary = try PersistentContainer.check(model: try Self.model(), description, options: options) {
            faults.append("\($0)")
        }
        #expect(summary.faultCount == faults.count)
        return (faults.sorted(), summary)
    }

    /// A change by another program, the faults that it causes, the repairs, and the remaining faults.
    struct Case: Sendable, CustomTestStringConvertible {
        let sql: String
        let faults: [String]
        var repairs: [String] = []
        /// The remaining faults; `nil` means all faults, if nothing is rebuilt.
        var left: [String]?
        var testDescription: String { sql }
    }

    static let cases = [
        Case(sql: "SELECT 1", faults: []),
        Case(
            sql: "UPDATE \"Club\" SET name = '' WHERE id = 2", faults: ["Club 2 name: is shorter than 1"]),
        Case(
            sql: "UPDATE \"Member\" SET rank = 40000 WHERE id = 2",
            faults: ["Member 2 rank: is not in -32768...32767"]),
        Case(
            sql: "UPDATE \"Member\" SET rank = 13 WHERE id = 3",
            faults: ["Member 3: the initializer of the record type rejects the row"]),
        Case(
            sql:
                "ALTER TABLE \"Member\" ALTER COLUMN rank DROP NOT NULL; UPDATE \"Member\" SET rank = NULL WHERE id = 1",
            faults: [
                "Member rank: the column is “bigint”, but should be “bigint NOT NULL”",
                "Member 1 rank: is mandatory, null is not allowed",
            ]),
        Case(
            sql: "UPDATE \"Member\" SET club = 1 WHERE id = 3",
            faults: [
                "Club 1 members: is above the maximum count of 2", "Club 2 members: is below the minimum count of 1",
            ]),
        Case(
            sql:
                "ALTER TABLE \"Member\" DROP CONSTRAINT \"Member_club_fkey\"; UPDATE \"Member\" SET club = 9 WHERE id = 2",
            faults: [
                "Member club: the database does not enforce its references to Club",
                "Member 2 club: refers to Club 9, which does not exist",
            ]),
        Case(
            sql: """
                ALTER TABLE "Club" DROP CONSTRAINT "Club_name_key"; UPDATE "Club" SET name = 'Chess'
                """,
            faults: [
                "Club name: the database does not enforce its uniqueness",
                "Club 2 name: Club 1 has this value too, but the attribute is unique",
            ]),
        Case(sql: "ALTER TABLE \"Club\" ADD COLUMN motto text", faults: ["Club motto: the model has no such column"]),
        Case(
            sql: "ALTER TABLE \"Badge\" ALTER COLUMN _version TYPE integer",
            faults: ["Badge _version: the column is “integer NOT NULL”, but should be “bigint NOT NULL”"]),
        Case(
            sql: "CREATE UNIQUE INDEX other ON \"Member\" (rank)",
            faults: ["Member: the index other enforces a uniqueness that the model does not declare"]),
        Case(
            sql: """
                ALTER TABLE "Member" ADD FOREIGN KEY (id) REFERENCES "Member" (id) DEFERRABLE INITIALLY DEFERRED
                """,
            faults: ["Member id: the database enforces references to Member that the model does not declare"]),
        Case(
            sql: "DROP INDEX \"Member_club\"; CREATE VIEW \"Member_club\" AS SELECT 1",
            faults: ["Member: the index Member_club is missing; a view has its name"]),
        Case(
            sql: "DROP INDEX \"Member_club\"", faults: ["Member: the index Member_club is missing"],
            repairs: ["rebuilt the index Member_club of Member"], left: []),
        Case(
            sql: "DROP INDEX \"Club_founded\"; CREATE INDEX \"Club_founded\" ON \"Club\" (founded) WHERE founded > 1",
            faults: ["Club: the index Club_founded is different from the model's"],
            repairs: ["rebuilt the index Club_founded of Club"], left: []),
        Case(
            sql: "DELETE FROM strata_sequence WHERE entity = 'Club'; INSERT INTO strata_sequence VALUES ('Clubs', 4)",
            faults: [
                "Club: the next identifier is missing; the greatest identifier is 2",
                "store: there is a next identifier of “Clubs”, which is not an entity",
            ], repairs: ["removed the next identifier of “Clubs”", "set the next identifier of Club to 3"], left: []),
        Case(
            sql: "DROP TABLE strata_sequence",
            faults: ["store: the table strata_sequence, which has the next identifiers, is missing"],
            repairs: ["rebuilt the table of next identifiers"], left: []),
        Case(
            sql: "DELETE FROM strata_metadata WHERE key = 'hash.Badge'",
            faults: ["Badge: the digest of the entity is missing or wrong"],
            repairs: ["rebuilt “hash.Badge” of the store's metadata"], left: []),
    ]

    @Test("a check reports each fault, and a repair rebuilds data that can be derived", arguments: CheckTests.cases)
    func faults(_ spoiled: Case) throws {
        try spoil(spoiled.sql)
        #expect(try check().faults == spoiled.faults.sorted())
        let repaired = try check(repairing: true)
        #expect(repaired.summary.repairs == spoiled.repairs)
        #expect(repaired.faults == (spoiled.left ?? spoiled.faults).sorted())
        #expect(try check().faults == (spoiled.left ?? spoiled.faults).sorted(), "a second check says the same")
        guard spoiled.left == [] else { return }
        let container = try PersistentContainer(model: try Self.model(), description, mainQueue: .private)
        #expect(try container.coordinator.store.reserveIdentifiers(1, of: "Club") == 3...3)
        try container.close()
    }

    @Test("a check reports a dangling join row if the server does not enforce references")
    func pairs() throws {
        let model = try Self.model()
        let join = try #require(model.joins.first)
        let table = PostgreSQLSettings.quoted(join.name)
        for column in ["source", "target"] {
            try spoil(
                "ALTER TABLE \(table) DROP CONSTRAINT \(PostgreSQLSettings.quoted("\(join.name)_\(column)_fkey"))")
        }
        let (club, badge) = join.sourceEntity == "Club" ? ("source", "target") : ("target", "source")
        try spoil("INSERT INTO \(table) (\(club), \(badge)) VALUES (7, 2)")
        let faults = try check().faults
        #expect(faults.count == 3, "\(faults)")
        #expect(faults.contains { $0.contains("7") && $0.contains("does not exist") }, "\(faults)")
    }

    @Test("an open store can be checked but not repaired, and a canceled repair changes nothing")
    func openElsewhere() throws {
        try spoil("DROP INDEX \"Member_club\"")
        let container = try PersistentContainer(model: try Self.model(), description, mainQueue: .private)
        #expect(try check().faults == ["Member: the index Member_club is missing"])
        let error = #expect(throws: PersistenceError.self) { try check(repairing: true) }
        #expect(error?.code == .locked && error?.message.contains("open") == true, "\(error as Any)")
        try container.close()
        var options = StoreCheckOptions()
        options.repairs = true
        options.willCommit = { throw CancellationError() }
        #expect(throws: CancellationError.self) {
            try PersistentContainer.check(model: try Self.model(), description, options: options) { _ in }
        }
        #expect(try check().faults == ["Member: the index Member_club is missing"])
        #expect(try check(repairing: true).faults == [])
    }

    @Test("canceling a check that waits for the server ends the check")
    func cancelled() throws {
        var settings = settings
        let other = try settings.connectFirst()
        defer { other.close() }
        try other.execute("BEGIN; LOCK TABLE \"Member\" IN ACCESS EXCLUSIVE MODE")
        var options = StoreCheckOptions()
        options.isCancelled = { true }
        var description = description
        description.busyTimeout = .seconds(3600)
        #expect(throws: CancellationError.self) {
            try PersistentContainer.check(model: try Self.model(), description, options: options) { _ in }
        }
    }

    @Test("a check of a missing store or with another model throws")
    func refused() throws {
        func error(_ description: PersistentStoreDescription, _ model: ManagedObjectModel) -> PersistenceError? {
            #expect(throws: PersistenceError.self) { try PersistentContainer.check(model: model, description) { _ in } }
        }
        let nowhere = PersistentStoreDescription(Server.provider())
        #expect(error(nowhere, try Self.model())?.code == .storeNotFound)
        let other = try ManagedObjectModel(records: [Badge2.self])
        #expect(error(description, other)?.code == .incompatibleModel)
    }

    struct Badge2: PersistentRecord {
        let id: RecordID<Badge2>
        static let entity = RecordEntity<Badge2>("Badge2", id: \.id, []) { Badge2(id: try $0.id()) }
    }

    @Test(
        "a check reports an incomplete index if the server can detect it, and a repair rebuilds the index",
        .enabled(if: Server.isSingle))
    func amcheck() throws {
        do { try spoil("CREATE EXTENSION IF NOT EXISTS amcheck SCHEMA pg_catalog") } catch let error as PersistenceError
        {
            // Two tests of two processes may create it at the same time.
            guard error.code == .uniqueness else { throw error }
        }
        #expect(try check().faults == [])
        // The index is marked as complete although it contains only some rows: the server then trusts it.
        try spoil(
            """
            DROP INDEX "Club_founded"; CREATE INDEX "Club_founded" ON "Club" (founded) WHERE founded > 1;
            UPDATE pg_index SET indpred = NULL WHERE indexrelid = (SELECT oid FROM pg_class WHERE relname = 'Club_founded' \
            AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()))
            """)
        let faults = try check().faults
        #expect(faults.count == 1 && faults.allSatisfy { $0.hasPrefix("Club: the server's check: ") }, "\(faults)")
        let repaired = try check(repairing: true)
        #expect(repaired.faults == [] && repaired.summary.repairs == ["rebuilt the index Club_founded"])
    }
}
#endif
