#if PostgreSQL
import Foundation
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataPostgreSQL

/// Two sessions that wait for each other: the server rolls back the one that tests for a deadlock first.
///
/// In these tests the store tests first: once, some seconds after it began to wait, when the other session has waited
/// longer.
@Suite(
    "Deadlocks between sessions of a server",
    .enabled(if: Server.connection != nil, "make test-postgres starts a server"))
struct MutualWaitingTests {
    private let schema = "waiting \(UUID().uuidString.prefix(8))"

    private static func model(_ further: String...) throws -> ManagedObjectModel {
        let value = AttributeDescription("value", .integer64)
        let others = further.map { AttributeDescription($0, .integer64, isOptional: true) }
        return try ManagedObjectModel([EntityDescription("Counter", ([value] + others).map { .attribute($0) })])
    }

    private func provider() -> PostgreSQLStoreProvider {
        var settings = PostgreSQLSettings(Server.connection ?? "", schema: schema, applicationName: schema)
        settings.connection += " options='-c deadlock_timeout=3s'"
        return PostgreSQLStoreProvider(settings)
    }

    private static func insertion(_ ids: Int64...) -> ChangeSet {
        var changes = ChangeSet()
        changes["Counter"].insertions = ids.map { .init(id: $0, values: [.integer(0)]) }
        return changes
    }

    /// Returns a transaction of another program, which tests for a deadlock only after the store.
    private func other() throws -> PostgreSQLConnection {
        let other = try PostgreSQLConnection([("dbname", Server.connection ?? "")], place: "other")
        try other.execute("SET deadlock_timeout = '30s'; SET search_path TO \"\(schema)\"; BEGIN")
        return other
    }

    /// Runs `body`, which makes the store wait for the other session, and then the other session's statements, which
    /// wait for the store.
    private func meet<Value>(
        _ other: PostgreSQLConnection, _ statements: String, _ body: () async throws -> Value
    ) async throws -> Value {
        // On Citus, a node waits.
        let waiting =
            Server.isSingle
            ? "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(schema)' AND wait_event_type = 'Lock'"
            : "SELECT count(*) FROM citus_stat_activity WHERE query LIKE '%\(schema)%' AND wait_event_type = 'Lock'"
        let (finished, finishing) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        Thread {
            finishing.yield(
                Result {
                    _ = try Server.psql(waiting, until: "1")
                    try other.execute("\(statements); COMMIT")
                })
            finishing.finish()
        }.start()
        let value = try await body()
        for await result in finished { try result.get() }
        return value
    }

    struct Counter: PersistentRecord {
        let id: RecordID<Counter>
        var value: Int64

        static let entity = RecordEntity<Counter>("Counter", id: \.id, [.attribute("value", \.value)]) {
            Counter(id: try $0.id(), value: try $0.next())
        }
    }

    @Test(
        "a unit of work that is rolled back by a deadlock retries if allowed, and throws otherwise", arguments: [0, 2])
    func unitOfWork(_ retries: Int) async throws {
        let container = try PersistentContainer(
            model: try ManagedObjectModel(records: [Counter.self]), PersistentStoreDescription(provider()),
            mainQueue: .private)
        let ids = try (1...2).map { try #require(RecordID<Counter>(rawValue: $0)) }
        _ = try container.coordinator.store.save(Self.insertion(1, 2))
        let other = try other()
        defer { other.close() }
        func raise(_ id: Int) -> String {
            "UPDATE \"Counter\" SET value = 10, _version = _version + 1 WHERE id = \(id)"
        }
        try other.execute(raise(2))
        let context: any RecordContext = container.newBackgroundContext()
        // While the store waits for row 2, it has locked row 1.
        try await meet(other, raise(1)) {
            func count() async throws {
                try await context.transaction(retrying: retries) { unit in
                    for id in ids { try unit.update(Counter.self, id: id) { $0.value += 1 } }
                }
            }
            if retries == 0 {
                let error = await #expect(throws: PersistenceError.self) { try await count() }
                #expect(error?.code == .locked, "\(error as Any)")
            } else {
                try await count()
            }
        }
        let values = try container.coordinator.store.rows(StoreRequest("Counter")).map(\.values)
        #expect(values == [[.integer(retries == 0 ? 10 : 11)], [.integer(retries == 0 ? 10 : 11)]])
        try container.close()
    }

    @Test(
        "a read or write that is rolled back in favor of a migration throws storeMigrated",
        .enabled(if: Server.isSingle), arguments: [false, true])
    func givingWayToMigration(isWriting: Bool) async throws {
        let store = try provider().open(try Self.model(), options: StoreOptions())
        _ = try store.save(Self.insertion(1))
        let other = try other()
        defer { other.close() }
        // A migration locks the tables in this order; reading or changing one row locks them in the reverse order.
        try other.execute("LOCK TABLE strata_metadata IN ACCESS EXCLUSIVE MODE")
        let migration = """
            LOCK TABLE "Counter" IN ACCESS EXCLUSIVE MODE; \
            ALTER TABLE strata_metadata RENAME COLUMN "generation 0" TO "generation 1"; \
            INSERT INTO strata_metadata (key, value) VALUES ('generation', '1')
            """
        let one = StoreRequest("Counter", where: .compare(.property("id"), .equal, .constant(.integer(1))))
        var changes = ChangeSet()
        changes["Counter"].updates = [.init(id: 1, expectedVersion: 1, values: [.integer(2)], changedColumns: [0])]
        let error = try await meet(other, migration) {
            #expect(throws: PersistenceError.self) {
                if isWriting { _ = try store.save(changes) } else { _ = try store.rows(one) }
            }
        }
        #expect(error?.code == .storeMigrated, "\(error as Any)")
        try store.close()
    }

    @Test(
        "a migration that is rolled back in favor of an update is retried and includes the updated row",
        .enabled(if: Server.isSingle), arguments: [false, true])
    func migration(isDeferred: Bool) async throws {
        let old = try provider().open(try Self.model(), options: StoreOptions())
        _ = try old.save(Self.insertion(1))
        try old.close()
        let other = try other()
        defer { other.close() }
        // A save of one row locks in this order: its own table before the one with the store's generation.
        try other.execute("UPDATE \"Counter\" SET value = 7")
        var options = StoreOptions()
        options.migration.isDeferred = isDeferred
        let store = try await meet(other, "SELECT 1 FROM strata_metadata") {
            let store = try provider().open(try Self.model("further"), options: options)
            if isDeferred { try store.writeRows { _ in } }
            return store
        }
        #expect(try store.rows(StoreRequest("Counter")).map(\.values) == [[.integer(7), .null]])
        try store.close()
    }
}
#endif
