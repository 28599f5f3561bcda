#if PostgreSQL
import Foundation
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Migrations of stores on a server that differ from other stores; MigrationTests contains the common tests.
@Suite(
    "Migration on the server",
    .enabled(if: Server.connection != nil, "make test-postgres starts a server"))
struct FollowingTests {
    private static func item(_ name: String, _ attributes: [AttributeDescription], from earlier: String...) throws
        -> ManagedObjectModel
    {
        try ManagedObjectModel([EntityDescription(name, attributes.map { .attribute($0) }, renamedFrom: earlier)])
    }

    private static func old() throws -> ManagedObjectModel {
        try item(
            "Item",
            [
                AttributeDescription("code", .string, isOptional: true, isUnique: true),
                AttributeDescription("price", .integer32, isOptional: true),
            ])
    }

    /// Returns a model with a renamed attribute and a price as text.
    private static func later() throws -> ManagedObjectModel {
        try item(
            "Article",
            [
                AttributeDescription("number", .string, isOptional: true, isUnique: true, renamedFrom: ["code"]),
                AttributeDescription("price", .string, isOptional: true),
            ], from: "Item")
    }

    private static func fill(_ store: any PersistentStore, _ count: Int64) throws {
        var changes = ChangeSet()
        changes["Item"].insertions = (1...count).map { .init(id: $0, values: [.string("c\($0)"), .integer($0)]) }
        _ = try store.save(changes)
    }

    /// Returns every way to read and write, including statements that the connections have prepared.
    private static func uses(of store: any PersistentStore) -> [() throws -> Void] {
        let byIdentifier = StoreRequest("Item", where: .isIn(.property("id"), [.integer(1)]))
        let one = StoreRequest("Item", where: .compare(.property("id"), .equal, .constant(.integer(1))))
        let none = StoreRequest("Item", where: .isIn(.property("id"), [.integer(9)]))
        return [
            { _ = try store.rows(StoreRequest("Item")) }, { _ = try store.rows(byIdentifier) },
            { _ = try store.rows(one) }, { _ = try store.rows(none) }, { _ = try store.count(StoreRequest("Item")) },
            { try raise(store) }, { _ = try store.reserveIdentifiers(1, of: "Item") },
            { _ = try store.openSnapshots(1) }, { try store.writeRows { _ in } },
        ]
    }

    /// Changes the price of the first row, unless it was changed already.
    private static func raise(_ store: any PersistentStore) throws {
        var changes = ChangeSet()
        changes["Item"].updates = [
            .init(id: 1, expectedVersion: 1, values: [.string("c1"), .integer(7)], changedColumns: [1])
        ]
        _ = try store.save(changes)
    }

    @Test("a container with the old model cannot read or write after a migration", arguments: [true, false])
    func noticed(_ isWarm: Bool) throws {
        let provider = Server.provider()
        let store = try provider.open(try Self.old(), options: StoreOptions())
        try Self.fill(store, 3)
        if isWarm { for use in Self.uses(of: store) + Self.uses(of: store) { try use() } }
        let newer = try provider.open(try Self.later(), options: StoreOptions())
        #expect(
            try newer.rows(StoreRequest("Article")).map(\.values)
                == (1...3).map { [.string("c\($0)"), .string($0 == 1 && isWarm ? "7" : "\($0)")] })
        for use in Self.uses(of: store) {
            let error = #expect(throws: PersistenceError.self) { try use() }
            #expect(error?.code == .storeMigrated, "\(error as Any)")
        }
        try store.close()
        try newer.close()
    }

    @Test(
        "a container with the old model cannot read or write after a migration that only adds a table",
        arguments: [true, false])
    func noticedOfSameTable(_ isWarm: Bool) throws {
        let provider = Server.provider()
        let old = try Self.old()
        let store = try provider.open(old, options: StoreOptions())
        try Self.fill(store, 3)
        let uses = Self.uses(of: store)
        if isWarm { for use in uses + uses { try use() } }
        let later = try ManagedObjectModel(
            old.entities + [EntityDescription("Extra", [.attribute(AttributeDescription("n", .integer32))])])
        let newer = try provider.open(later, options: StoreOptions())
        for use in uses {
            let error = #expect(throws: PersistenceError.self) { try use() }
            #expect(error?.code == .storeMigrated, "\(error as Any)")
        }
        // A container that opened the store later gets no error.
        for use in Self.uses(of: newer) { try use() }
        try store.close()
        try newer.close()
    }

    @Test("a writing opening adds the column for the generation to an old store that has no such column")
    func madeBefore() throws {
        let schema = "before \(UUID().uuidString)"
        let provider = Server.provider(schema)
        try provider.open(try Self.old(), options: StoreOptions()).close()
        _ = try Server.psql("ALTER TABLE \"\(schema)\".strata_metadata DROP COLUMN \"generation 0\"")
        var reading = StoreOptions()
        reading.isReadOnly = true
        let error = #expect(throws: PersistenceError.self) { try provider.open(try Self.old(), options: reading) }
        #expect(error?.code == .incompatibleModel)
        for options in [StoreOptions(), reading] {
            let store = try provider.open(try Self.old(), options: options)
            #expect(try store.count(StoreRequest("Item")) == 0)
            try store.close()
        }
    }

    @Test("after a rename, uniqueness errors and constraints use the new names")
    func names() throws {
        let schema = "names \(UUID().uuidString)"
        let provider = Server.provider(schema)
        let store = try provider.open(try Self.old(), options: StoreOptions())
        try Self.fill(store, 2)
        try store.close()
        let newer = try provider.open(try Self.later(), options: StoreOptions())
        var changes = ChangeSet()
        changes["Article"].insertions = [.init(id: 9, values: [.string("c1"), .null])]
        let error = #expect(throws: PersistenceError.self) { try newer.save(changes) }
        #expect(error?.code == .uniqueness)
        #expect(error?.entity == "Article" && error?.attribute == "number")
        let names = try Server.psql(
            "SELECT string_agg(conname, ' ' ORDER BY conname) FROM pg_constraint WHERE connamespace = '\"\(schema)\"'::regnamespace AND contype <> 'n' "
                + "AND conrelid::regclass::text LIKE '%Article%'")
        #expect(names == "Article_number_key Article_pkey")
        try newer.close()
    }

    @Test("a migration waits for readers until the timeout, and then throws and changes nothing")
    func waits() throws {
        let provider = Server.provider()
        let store = try provider.open(try Self.old(), options: StoreOptions())
        try Self.fill(store, 2)
        let snapshot = try store.openSnapshots(1)[0]
        #expect(try snapshot.count(StoreRequest("Item")) == 2)
        var options = StoreOptions()
        options.busyTimeout = .milliseconds(50)
        let error = #expect(throws: PersistenceError.self) { try provider.open(try Self.later(), options: options) }
        #expect(error?.code == .locked)
        #expect(try snapshot.rows(StoreRequest("Item")).count == 2)
        snapshot.close()
        try provider.open(try Self.later(), options: options).close()
        try store.close()
    }

    @Test(
        "a migration reports its progress while it writes rows, and a canceled migration changes nothing",
        arguments: [nil, []] as [PostgreSQLCapabilities?])
    func cancelled(_ capabilities: PostgreSQLCapabilities?) throws {
        let provider = Server.provider(capabilities: capabilities)
        let store = try provider.open(try Self.old(), options: StoreOptions())
        try Self.fill(store, 10_000)
        try store.close()
        let reports = Guarded<[MigrationProgress]>([])
        var options = StoreOptions()
        options.migration.progress = { progress in reports.withLock { $0.append(progress) } }
        options.migration.isCancelled = { reports.withLock { ($0.last?.rows ?? 0) > 4_000 } }
        #expect(throws: CancellationError.self) { try provider.open(try Self.later(), options: options) }
        let again = try provider.open(try Self.old(), options: StoreOptions())
        #expect(try again.count(StoreRequest("Item")) == 10_000)
        try again.close()
        options.migration.isCancelled = { false }
        reports.withLock { $0 = [] }
        let newer = try provider.open(try Self.later(), options: options)
        #expect(try newer.count(StoreRequest("Article")) == 10_000)
        let rows = reports.withLock { $0 }
        #expect(rows.first?.rows == 0 && rows.last?.rows == 10_000)
        #expect(rows.count > 3 && rows.map(\.rows) == rows.map(\.rows).sorted())
        #expect(rows.allSatisfy { $0.totalRows == 10_000 })
        #expect(
            try newer.rows(StoreRequest("Article")).map(\.values)
                == (1...10_000).map { [.string("c\($0)"), .string("\($0)")] })
        try newer.close()
    }

    @Test(
        "a stage's code can migrate thousands of rows, and a duplicate unique value is reported",
        arguments: [nil, []] as [PostgreSQLCapabilities?])
    func staged(_ capabilities: PostgreSQLCapabilities?) throws {
        let schema = "staged \(UUID().uuidString)"
        let store = try Server.provider(schema, capabilities: capabilities).open(
            try Self.old(), options: StoreOptions())
        try Self.fill(store, 5_000)
        try store.close()
        var description = PersistentStoreDescription.postgreSQL(
            Server.connection ?? "", schema: schema, capabilities: capabilities)
        let versions = [ModelVersion("1", try Self.old()), ModelVersion("2", try Self.later())]
        func follow(_ number: @escaping @Sendable (String?) -> String?) throws {
            description.migrationPlan = try MigrationPlan(
                versions,
                stages: [
                    .custom(
                        from: "1", to: "2",
                        [
                            EntityTransform("Article") { old, new, _ in
                                try new.set("number", to: number(try old.value("code", as: String?.self)))
                                return .keep
                            }
                        ])
                ])
            try PersistentContainer(model: try Self.later(), description, mainQueue: .private).close()
        }
        let error = #expect(throws: PersistenceError.self) {
            try follow { $0 == "c4321" ? "n1234" : "n" + ($0 ?? "").dropFirst() }
        }
        #expect(error?.code == .uniqueness && error?.attribute == "number", "\(error as Any)")
        try follow { $0.map { $0 == "c77" ? "other" : "n" + $0.dropFirst() } }
        let container = try PersistentContainer(model: try Self.later(), description, mainQueue: .private)
        let rows = try container.coordinator.store.rows(StoreRequest("Article")).map { $0.values[0] }
        #expect(rows == (1...5_000).map { .string($0 == 77 ? "other" : "n\($0)") })
        try container.close()
    }

    @Test("a migration with a backup file is rejected before any change")
    func backup() throws {
        let provider = Server.provider()
        let store = try provider.open(try Self.old(), options: StoreOptions())
        try Self.fill(store, 1)
        try store.close()
        var options = StoreOptions()
        options.migration.backup = URL(fileURLWithPath: "/nowhere/before.sqlite")
        let error = #expect(throws: PersistenceError.self) { try provider.open(try Self.later(), options: options) }
        #expect(error?.code == .invalidRequest)
        try provider.open(try Self.old(), options: StoreOptions()).close()
    }

    @Test("opening and closing a store leaves no connection open")
    func closed() throws {
        let name = "opened \(UUID().uuidString.prefix(8))"
        var settings = PostgreSQLSettings(Server.connection ?? "", schema: name)
        settings.applicationName = name
        let provider = PostgreSQLStoreProvider(settings)
        for _ in 0..<200 {
            let store = try provider.open(try Self.old(), options: StoreOptions())
            #expect(try store.count(StoreRequest("Item")) == 0)
            try store.close()
        }
        // The server ends them a little later.
        let left = try Server.psql(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(name)'", until: "0")
        #expect(left == "0")
    }
}
#endif
