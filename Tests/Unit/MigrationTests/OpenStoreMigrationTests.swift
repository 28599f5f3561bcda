import Foundation
import StrataCore
import StrataPersistence
import StrataSQLite
import StrataStoreKit
import StrataTesting
import Synchronization
import Testing

/// A store that is migrated while other containers have it open.
@Suite("Stores that are open during a migration")
struct OpenStoreMigrationTests {
    private static let old = [EntityDescription("Item", [attribute("code"), attribute("price", .integer32)])]
    private static let rows: [Int64: [StoredValue]] = [
        1: [.string("a"), .integer(10)], 2: [.string("b"), .integer(20)],
    ]
    private static let later: [(String, [EntityDescription])] = [
        (
            "an additional attribute",
            [EntityDescription("Item", [attribute("code"), attribute("price", .integer32), attribute("note")])]
        ),
        (
            "a renamed attribute",
            [EntityDescription("Item", [attribute("code"), attribute("cost", .integer32, from: "price")])]
        ),
        ("a rebuilt table", [EntityDescription("Item", [attribute("code"), attribute("price", .string)])]),
        (
            "a renamed entity",
            [EntityDescription("Article", [attribute("code"), attribute("price", .integer32)], renamedFrom: ["Item"])]
        ),
        (
            "a changed rule",
            [
                EntityDescription(
                    "Item", [attribute("code", rules: [.maximumLength(9)]), attribute("price", .integer32)])
            ]
        ),
        (
            "an added index",
            [EntityDescription("Item", [attribute("code", indexed: true), attribute("price", .integer32)])]
        ),
    ]

    @Test("a write through a container with the old model reports the migration, not a broken new rule")
    func forbidden() throws {
        let earlier = try EarlierStore(.sqlite, Self.old, rows: ["Item": Self.rows])
        let store = try SQLiteStore.open(at: earlier.url, model: earlier.model)
        #expect(try store.values("Item") == Self.rows)
        let newer = try earlier.open([
            EntityDescription(
                "Item", [attribute("code", unique: true), attribute("price", .integer32, optional: false)])
        ])
        for values in [[.string("a"), .integer(1)], [.string("c"), .null]] as [[StoredValue]] {
            var changes = ChangeSet()
            changes["Item"].insertions = [ChangeSet.Insertion(id: 9, values: values)]
            #expect(failure { _ = try store.save(changes) }?.code == .storeMigrated)
        }
        #expect(try newer.values("Item") == Self.rows)
        try store.close()
    }

    @Test(
        "a container with the old model cannot read or write after a migration", arguments: later.map(\.0),
        [true, false])
    func noticed(_ change: String, _ isWarm: Bool) throws {
        let entities = try #require(Self.later.first { $0.0 == change }?.1)
        let earlier = try EarlierStore(.sqlite, Self.old, rows: ["Item": Self.rows])
        let model = try ManagedObjectModel(Self.old)
        let store = try SQLiteStore.open(at: earlier.url, model: model)
        var changes = ChangeSet()
        changes["Item"].updates = [
            ChangeSet.Update(id: 1, expectedVersion: 1, values: [.string("a"), .integer(11)], changedColumns: [1])
        ]
        if isWarm {
            #expect(try store.values("Item") == Self.rows)
            #expect(try store.save(changes).isEmpty)
            changes["Item"].updates[0] = ChangeSet.Update(
                id: 1, expectedVersion: 2, values: [.string("a"), .integer(12)], changedColumns: [1])
        }
        let snapshot = try store.openSnapshots(1)[0]
        let before = try snapshot.count(StoreRequest("Item"))
        #expect(before == 2)
        snapshot.close()
        let newer = try earlier.open(entities)
        let reading = try #require(failure { _ = try store.values("Item") })
        #expect(reading.code == .storeMigrated)
        let hashes = try [model, try ManagedObjectModel(entities)].map { try $0.versionHash() }
        #expect(
            reading.message
                == "the store was migrated from model \(hashes[0]) to model \(hashes[1]) since it was opened; close it, and open it with the new model"
        )
        #expect(failure { _ = try store.save(changes) }?.code == .storeMigrated)
        #expect(failure { _ = try store.reserveIdentifiers(1, of: "Item") }?.code == .storeMigrated)
        let writing = failure {
            try store.insertRows(of: "Item") {
                _ = try $0.insert(id: 9, values: [.null, .null], location: RowLocation(line: 1, record: 1))
            }
        }
        #expect(writing?.code == .storeMigrated)
        #expect(failure { _ = try store.openSnapshots(1)[0].count(StoreRequest("Item")) }?.code == .storeMigrated)
        // Each attempt fails.
        for _ in 0..<2 {
            #expect(failure { _ = try store.values("Item") }?.code == .storeMigrated)
            #expect(failure { _ = try store.save(changes) }?.code == .storeMigrated)
        }
        #expect(try newer.count(StoreRequest(entities[0].name)) == 2)
        try store.close()
    }

    @Test("containers stay usable after changes of titles, external names and the order of attributes")
    func words() throws {
        let earlier = try EarlierStore(.sqlite, Self.old, rows: ["Item": Self.rows])
        let store = try SQLiteStore.open(at: earlier.url, model: try ManagedObjectModel(Self.old))
        let model = [
            EntityDescription(
                "Item", [attribute("price", .integer32), attribute("code")],
                external: ExternalForm(name: "items", title: "Things"))
        ]
        _ = try earlier.open(model)
        #expect(try store.values("Item") == Self.rows)
        #expect(try SQLiteStore.storedModel(at: earlier.url).file?.contains("Things") == true)
    }

    @Test("a snapshot opened before a migration returns the old rows until the snapshot is closed")
    func snapshot() throws {
        let earlier = try EarlierStore(.sqlite, Self.old, rows: ["Item": Self.rows])
        let store = try SQLiteStore.open(at: earlier.url, model: try ManagedObjectModel(Self.old))
        let snapshot = try store.openSnapshots(1)[0]
        _ = try earlier.open(Self.later[2].1)
        #expect(try snapshot.rows(StoreRequest("Item")).map(\.values) == [Self.rows[1], Self.rows[2]])
        snapshot.close()
        #expect(failure { _ = try store.values("Item") }?.code == .storeMigrated)
    }

    @Test("a store can be opened read-only with another model only if no row has to change")
    func readOnly() throws {
        let earlier = try EarlierStore(.sqlite, Self.old, rows: ["Item": Self.rows])
        let bytes = try Data(contentsOf: earlier.url)
        let rule = try SQLiteStore.open(
            at: earlier.url, model: try ManagedObjectModel(Self.later[4].1), isReadOnly: true)
        #expect(try rule.values("Item") == Self.rows)
        try rule.close()
        let error = try #require(
            failure {
                _ = try SQLiteStore.open(
                    at: earlier.url, model: try ManagedObjectModel(Self.later[1].1), isReadOnly: true)
            })
        #expect(error.code == .incompatibleModel)
        #expect(
            error.message == """
                the store was created with another model, but the store is open for reading only; nothing was changed. Changes to this model:
                  rename Item.price cost
                """)
        #expect(try Data(contentsOf: earlier.url) == bytes)
    }

    @Test("a container that rejects migrations still adopts changed rules, but rejects a renamed attribute")
    func refused() throws {
        let earlier = try EarlierStore(.sqlite, Self.old, rows: ["Item": Self.rows])
        var options = MigrationOptions()
        options.mode = .refuse
        #expect(failure { _ = try earlier.open(Self.later[1].1, options) }?.code == .incompatibleModel)
        #expect(try earlier.open(Self.later[4].1, options).values("Item") == Self.rows)
    }

    @Test("a backup contains the old store and opens with the old model")
    func backup() throws {
        let earlier = try EarlierStore(.sqlite, Self.old, rows: ["Item": Self.rows])
        var options = MigrationOptions()
        let copy = earlier.folder.file("before.sqlite")
        options.backup = copy
        // Another process has the store open meanwhile.
        let reader = try SQLiteStore.open(at: earlier.url, model: try ManagedObjectModel(Self.old), isReadOnly: true)
        _ = try earlier.open(Self.later[2].1, options)
        let old = try SQLiteStore.open(at: copy, model: try ManagedObjectModel(Self.old))
        #expect(try old.values("Item") == Self.rows)
        try reader.close()
        let other = try EarlierStore(.sqlite, Self.old, rows: ["Item": Self.rows])
        #expect(
            failure { _ = try other.open(Self.later[2].1, options) }?.code == .cannotCreate)
    }

    @Test("a migration reports its progress, and a canceled migration changes nothing", arguments: StoreKind.allCases)
    func cancelled(_ kind: StoreKind) throws {
        var rows: [Int64: [StoredValue]] = [:]
        for id in 1...10_000 { rows[Int64(id)] = [.string("c"), .integer(Int64(id))] }
        let earlier = try EarlierStore(kind, Self.old, rows: ["Item": rows])
        defer { withExtendedLifetime(earlier) {} }
        let reports = Mutex<[MigrationProgress]>([])
        var options = MigrationOptions()
        options.progress = { progress in reports.withLock { $0.append(progress) } }
        options.isCancelled = { reports.withLock { ($0.last?.rows ?? 0) > 4000 } }
        #expect(throws: CancellationError.self) { try earlier.open(Self.later[2].1, options) }
        #expect(reports.withLock { $0.map(\.totalRows) }.allSatisfy { $0 == 10_000 })
        #expect(try earlier.open(Self.old).values("Item") == rows)
        options.isCancelled = { false }
        reports.withLock { $0 = [] }
        #expect(try earlier.open(Self.later[2].1, options).count(StoreRequest("Item")) == 10_000)
        #expect(reports.withLock { $0.map(\.rows) } == [0, 4096, 8192, 10_000])
    }
}
