#if PostgreSQL
import Foundation
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

@testable import StrataPostgreSQL

/// Errors of a server, and the state of the store after them.
@Suite("Faults of a server", .enabled(if: Server.connection != nil, "make test-postgres starts a server"))
struct FaultTests {
    private let schema = "faults \(UUID().uuidString.prefix(8))"

    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel([EntityDescription("Counter", [.attribute(AttributeDescription("value", .integer64))])])
    }

    private func provider(_ change: (inout PostgreSQLSettings) -> Void = { _ in }) -> PostgreSQLStoreProvider {
        var settings = PostgreSQLSettings(Server.connection ?? "", schema: schema, applicationName: schema)
        change(&settings)
        return PostgreSQLStoreProvider(settings)
    }

    private static func insertion(_ ids: Int64...) -> ChangeSet {
        var changes = ChangeSet()
        changes["Counter"].insertions = ids.map { .init(id: $0, values: [.integer(0)]) }
        return changes
    }

    /// Returns a connection of another program.
    private func other() throws -> PostgreSQLConnection {
        try PostgreSQLConnection([("dbname", Server.connection ?? "")], place: "other")
    }

    private func refusal(of open: () throws -> Void) -> PersistenceError? {
        #expect(throws: PersistenceError.self) { try open() }
    }

    // MARK: Rights, versions, names

    @Test("a role without privileges gets an error that names the missing privilege, and creates nothing")
    func rights() throws {
        let role = "role\(UUID().uuidString.prefix(8).lowercased())"
        _ = try Server.psql("CREATE ROLE \(role) LOGIN")
        let asRole = provider { $0.connection += " user=\(role)" }
        let missing = refusal { _ = try asRole.open(try Self.model(), options: StoreOptions()) }
        #expect(missing?.code == .permissionDenied, "\(missing as Any)")
        let store = try provider().open(try Self.model(), options: StoreOptions())
        _ = try store.save(Self.insertion(1))
        let unused = refusal { _ = try asRole.open(try Self.model(), options: StoreOptions()) }
        #expect(unused?.code == .permissionDenied && unused?.message.contains("GRANT USAGE") == true)
        // A role with read access can read, and gets an error when it writes.
        _ = try Server.psql(
            "GRANT USAGE ON SCHEMA \"\(schema)\" TO \(role); GRANT SELECT ON ALL TABLES IN SCHEMA \"\(schema)\" TO \(role)"
        )
        var options = StoreOptions()
        options.isReadOnly = true
        let reading = try asRole.open(try Self.model(), options: options)
        #expect(try reading.count(StoreRequest("Counter")) == 1)
        try reading.close()
        let writing = try asRole.open(try Self.model(), options: StoreOptions())
        let denied = refusal { _ = try writing.save(Self.insertion(2)) }
        #expect(denied?.code == .permissionDenied, "\(denied as Any)")
        try writing.close()
        #expect(try store.count(StoreRequest("Counter")) == 1)
        try store.close()
    }

    @Test("a server that is too old is rejected with the required version", .enabled(if: Server.isSingle))
    func age() throws {
        let proxy = try CuttingProxy(Server.connection ?? "")
        let version = try Server.psql("SHOW server_version_num")
        proxy.replace(version, with: "12" + version.dropFirst(2))
        let error = refusal {
            _ = try provider { $0.connection = proxy.connection }.open(try Self.model(), options: StoreOptions())
        }
        #expect(error?.code == .database && error?.message.contains("PostgreSQL 13 or newer") == true)
    }

    @Test("a database with another encoding than UTF-8 is rejected")
    func encoding() throws {
        let name = "bytes\(UUID().uuidString.prefix(8).lowercased())"
        _ = try Server.psql(
            "CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'")
        let error = refusal {
            _ = try provider { $0.connection += " dbname=\(name)" }.open(try Self.model(), options: StoreOptions())
        }
        #expect(error?.code == .database && error?.message.contains("ENCODING 'UTF8'") == true, "\(error as Any)")
    }

    @Test("foreign tables are unchanged, and a foreign table with the name of an entity prevents a new store")
    func foreign() throws {
        _ = try Server.psql("CREATE SCHEMA \"\(schema)\"; CREATE TABLE \"\(schema)\".theirs (x int)")
        let store = try provider().open(try Self.model(), options: StoreOptions())
        _ = try store.save(Self.insertion(1))
        try store.close()
        try provider().destroy(onlyIfEmpty: false, options: StoreOptions())
        let tables = "SELECT string_agg(tablename, ',') FROM pg_tables WHERE schemaname = '\(schema)'"
        #expect(try Server.psql(tables) == "theirs")
        _ = try Server.psql("CREATE TABLE \"\(schema)\".\"Counter\" (x int)")
        let taken = refusal { _ = try provider().open(try Self.model(), options: StoreOptions()) }
        #expect(taken?.code == .cannotCreate, "\(taken as Any)")
        #expect(try Server.psql(tables.replacing("','", with: "',' ORDER BY tablename")) == "Counter,theirs")
        _ = try Server.psql("CREATE TABLE \"\(schema)\".strata_metadata (x int)")
        let strange = refusal { _ = try provider().open(try Self.model(), options: StoreOptions()) }
        #expect(strange?.code == .corrupt, "\(strange as Any)")
    }

    // MARK: Exhausted resources

    @Test("a request without a free connection throws an error with the count of connections")
    func exhausted() throws {
        var options = StoreOptions()
        options.busyTimeout = .milliseconds(50)
        let store = try provider { $0.poolSize = 2 }.open(try Self.model(), options: options)
        // Each snapshot has its own connection, whatever the server shares.
        let snapshots = try (0..<2).map { _ in try store.openSnapshots(1)[0] }
        let error = refusal { _ = try store.count(StoreRequest("Counter")) }
        #expect(error?.code == .locked && error?.message.contains("all 2 connections") == true, "\(error as Any)")
        for snapshot in snapshots { snapshot.close() }
        #expect(try store.count(StoreRequest("Counter")) == 0)
        try store.close()
    }

    @Test(
        "a full disk of the server rejects a whole save or import, and a retry succeeds after space is freed",
        .enabled(if: Server.isSingle))
    func full() throws {
        let store = try provider().open(try Self.model(), options: StoreOptions())
        _ = try store.save(Self.insertion(1))
        // This raises the error of a full disk without filling one: postgresql.org/docs/15/errcodes-appendix.html.
        _ = try Server.psql(
            """
            SET search_path TO "\(schema)"; CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS \
            $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$; \
            CREATE CONSTRAINT TRIGGER full_disk AFTER INSERT OR UPDATE ON "Counter" DEFERRABLE INITIALLY DEFERRED \
            FOR EACH ROW WHEN (NEW.id > 2 OR NEW.value = 7) EXECUTE FUNCTION full_disk()
            """)
        #expect(refusal { _ = try store.save(Self.insertion(2, 3)) }?.code == .diskFull)
        // A single row is one statement with its own transaction: the server rejects its commit after the answer to the
        // statement.
        var update = ChangeSet()
        update["Counter"].updates = [.init(id: 1, expectedVersion: 1, values: [.integer(7)], changedColumns: [0])]
        #expect(refusal { _ = try store.save(update) }?.code == .diskFull)
        #expect(try store.rows(StoreRequest("Counter")).map(\.values) == [[.integer(0)]])
        let imported = refusal {
            try store.writeRows { writer in
                let inserter = try writer.inserter(of: "Counter", InsertOptions())
                var block = RowBlock(of: inserter.entity)
                for number in 1...10 {
                    block.beginRow(id: nil, location: RowLocation(line: number, record: number))
                    block.set(.integer(0), column: 0)
                }
                try inserter.insert(&block)
            }
        }
        #expect(imported?.code == .diskFull, "\(imported as Any)")
        #expect(try store.count(StoreRequest("Counter")) == 1)
        _ = try Server.psql("DROP TRIGGER full_disk ON \"\(schema)\".\"Counter\"")
        _ = try store.save(Self.insertion(2, 3))
        #expect(try store.save(update).isEmpty)
        #expect(try store.rows(StoreRequest("Counter")).map(\.values) == [7, 0, 0].map { [.integer($0)] })
        try store.close()
    }

    @Test(
        "only a store with full durability overrides a server setting that does not wait for the disk",
        arguments: [
            ("off", .normal, "off"), ("off", .full, "on"), ("local", .full, "local"),
            ("remote_apply", .full, "remote_apply"),
        ] as [(String, Durability, String)])
    func durability(_ setting: String, _ durability: Durability, _ expected: String) throws {
        var options = StoreOptions()
        options.durability = durability
        let opened = try provider { $0.connection += " options='-c synchronous_commit=\(setting)'" }
            .open(try Self.model(), options: options)
        let store = try #require(opened as? PostgreSQLStore)
        // These are the connection that opened the store and a second one that is created while the first is in use.
        try store.pool.withConnection { (first) throws in
            try store.pool.withConnection { (second) throws in
                for connection in [first, second] {
                    #expect(try connection.text("SHOW synchronous_commit") == expected)
                }
            }
        }
        try store.close()
    }

    @Test("a statement that exceeds the timeout throws, and nothing is stored")
    func slow() throws {
        // On a busy machine too, only the one statement that waits forever may exceed the timeout.
        try provider().open(try Self.model(), options: StoreOptions()).close()
        let store = try provider { $0.statementTimeout = .seconds(2) }.open(
            try Self.model(), options: StoreOptions())
        _ = try store.save(Self.insertion(1))
        let other = try other()
        defer { other.close() }
        try other.execute("BEGIN; LOCK TABLE \"\(schema)\".\"Counter\" IN ACCESS EXCLUSIVE MODE")
        #expect(refusal { _ = try store.save(Self.insertion(2)) }?.code == .locked)
        try other.execute("COMMIT")
        #expect(try store.count(StoreRequest("Counter")) == 1)
        try store.close()
    }

    @Test(
        "a request with too many values for a statement is rejected, and the connection stays usable",
        arguments: [true, false])
    func manyValues(_ isCounting: Bool) throws {
        let weight = AttributeDescription("weight", .double)
        let store = try provider().open(
            try ManagedObjectModel([EntityDescription("Word", [.attribute(weight)])]), options: StoreOptions())
        let weights = (0..<70_000).map { StoredValue.double(Double($0)) }
        let request = StoreRequest("Word", where: .isIn(.property("weight"), weights))
        for _ in 1...2 {
            let error = refusal {
                if isCounting { _ = try store.count(request) } else { _ = try store.rows(request) }
            }
            #expect(error?.code == .invalidRequest, "\(error as Any)")
        }
        #expect(try store.count(StoreRequest("Word")) == 0)
        try store.close()
    }

    // MARK: Another host

    @Test(
        "the store uses the next host of the connection string if the first host fails, and loses no save",
        .enabled(if: Server.isSingle))
    func failover() throws {
        let proxy = try CuttingProxy(Server.connection ?? "")
        let host = try #require(proxy.connection.split(separator: " ").first?.dropFirst("host=".count))
        let real = try #require(Server.connection?.split(separator: " ").first { $0.hasPrefix("host=") })
        let words =
            "host=\(host),\(real.dropFirst("host=".count)) user=strata dbname=postgres target_session_attrs=read-write"
        let store = try provider { $0.connection = words }.open(try Self.model(), options: StoreOptions())
        _ = try store.save(Self.insertion(1))
        // The server receives this commit: the other host then reports its outcome.
        proxy.onCommit(.isUnanswered)
        proxy.disappear()
        _ = try store.save(Self.insertion(2))
        #expect(try store.count(StoreRequest("Counter")) == 2)
        _ = try store.save(Self.insertion(3))
        try store.close()
        let again = try provider { $0.connection = words }.open(try Self.model(), options: StoreOptions())
        #expect(try again.count(StoreRequest("Counter")) == 3)
        try again.close()
    }

    // MARK: Tenants

    @Test("closing the stores of many tenants leaves no connection and no file descriptor open")
    func tenants() throws {
        for round in 0..<Seeds.count(2, all: 50) {
            let stores = try (0..<40).map { number in
                try provider { $0.schema += " \(number)" }.open(try Self.model(), options: StoreOptions())
            }
            for store in stores { _ = try store.save(Self.insertion(Int64(round) + 1)) }
            for store in stores {
                #expect(try store.count(StoreRequest("Counter")) == round + 1)
                try store.close()
            }
        }
        let left = try Server.psql(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(schema)'", until: "0")
        #expect(left == "0")
    }
}
#endif
