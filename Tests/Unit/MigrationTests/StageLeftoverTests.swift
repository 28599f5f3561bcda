import Foundation
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataSQLite

/// The rows and indexes after a stage whose code adds rows.
@Suite("Results of stages")
struct StageLeftoverTests {
    private static let first = [
        EntityDescription("Item", [attribute("code")]),
        EntityDescription("Note", [attribute("text"), attribute("old")]),
    ]
    /// The later model, with unique codes, and notes with other columns.
    private static let second = [
        EntityDescription("Item", [attribute("code", unique: true)]),
        EntityDescription("Note", [attribute("text"), attribute("size", .integer32, indexed: true)]),
    ]
    private static let rows: [String: [Int64: [StoredValue]]] = [
        "Item": [1: [.string("a")], 2: [.string("b")], 3: [.string("c")]],
        "Note": [4: [.string("x"), .null], 5: [.null, .null]],
    ]

    private static func open(
        _ earlier: EarlierStore, _ transforms: [EntityTransform] = [],
        finish: @escaping @Sendable (MigratingRows) throws -> Void = { _ in }
    ) throws -> any PersistentStore {
        var description = earlier.description
        description.migrationPlan = try MigrationPlan(
            [ModelVersion("1", try ManagedObjectModel(first)), ModelVersion("2", try ManagedObjectModel(second))],
            stages: [.custom(from: "1", to: "2", drops: .named(["Note.old"]), transforms, finish: finish)])
        return try PersistentContainer(model: try ManagedObjectModel(second), description, mainQueue: .private)
            .coordinator.store
    }

    @Test(
        "rows that a stage adds raise the next identifier of their entity",
        arguments: StoreKind.allCases)
    func marks(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, Self.first, rows: Self.rows)
        defer { withExtendedLifetime(earlier) {} }
        let store = try Self.open(earlier) { rows in
            for _ in 0..<3 { _ = try rows.insert("Note", ["text": "new"]) }
        }
        #expect(try store.values("Note").keys.sorted() == [4, 5, 6, 7, 8])
        #expect(try store.reserveIdentifiers(1, of: "Note") == 9...9)
        #expect(try store.reserveIdentifiers(1, of: "Item") == 4...4)
        try store.close()
    }

    @Test("an entity that a stage does not change keeps its rows and indexes", arguments: StoreKind.allCases)
    func indexes(_ kind: StoreKind) throws {
        func note(_ version: Int) -> EntityDescription {
            EntityDescription("Note", [attribute(version == 1 ? "text" : "body")])
        }
        let kept = EntityDescription("Place", [attribute("name", indexed: true), attribute("zip", unique: true)])
        let earlier = try EarlierStore(
            kind, [kept, note(1)],
            rows: ["Place": [1: [.string("Rome"), .string("1")]], "Note": [1: [.string("x")]]])
        defer { withExtendedLifetime(earlier) {} }
        let moved = EntityTransform("Note") { old, new, _ in
            try new.set("body", to: try old.value("text", as: String.self))
            return .keep
        }
        var description = earlier.description
        let later = try ManagedObjectModel([kept, note(2)])
        description.migrationPlan = try MigrationPlan(
            [ModelVersion("1", try ManagedObjectModel([kept, note(1)])), ModelVersion("2", later)],
            stages: [.custom(from: "1", to: "2", drops: .named(["Note.text"]), [moved])])
        let store = try PersistentContainer(model: later, description, mainQueue: .private).coordinator.store
        #expect(try store.values("Place") == [1: [.string("Rome"), .string("1")]])
        #expect(try store.values("Note") == [1: [.string("x")]])
        guard kind.isChecked else { return }
        try store.close()
        try PersistentContainer.check(model: later, earlier.description) { Issue.record("\($0)") }
    }

    @Test("a stage assigns no duplicate identifier although the store has lost its next identifiers")
    func lostMark() throws {
        let earlier = try EarlierStore(.sqlite, Self.first, rows: Self.rows)
        let connection = try SQLiteConnection(path: earlier.url.path, access: .readWrite, busyTimeout: .zero)
        try connection.execute("DELETE FROM strata_sequence")
        connection.close()
        let store = try Self.open(earlier) { rows in _ = try rows.insert("Note", ["text": "new"]) }
        #expect(try store.values("Note").keys.sorted() == [4, 5, 6])
        try store.close()
    }

    @Test(
        "an invalid last row of a stage is rejected, and the migration is rolled back",
        arguments: StoreKind.allCases)
    func lastRow(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, Self.first, rows: Self.rows)
        defer { withExtendedLifetime(earlier) {} }
        let doubles = EntityTransform("Item") { old, new, _ in
            if old.id.rawValue == 3 { try new.set("code", to: "a") }
            return .keep
        }
        let error = try #require(failure { _ = try Self.open(earlier, [doubles]) })
        #expect(error.code == .uniqueness)
        #expect(error.entity == "Item" && error.attribute == "code")
        #expect(try earlier.open(Self.first).values("Item") == Self.rows["Item"])
    }

    @Test("a stage also migrates entities that its code does not change", arguments: StoreKind.allCases)
    func bystander(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, Self.first, rows: Self.rows)
        defer { withExtendedLifetime(earlier) {} }
        let store = try Self.open(earlier, [EntityTransform("Item") { _, _, _ in .keep }])
        #expect(try store.values("Note") == [4: [.string("x"), .null], 5: [.null, .null]])
        let isSmall = FetchCondition.compare(.property("size"), .less, .constant(.integer(5)))
        #expect(try store.count(StoreRequest("Note", where: isSmall)) == 0)
        var changes = ChangeSet()
        changes["Note"].insertions = [.init(id: 9, values: [.string("y"), .integer(1)])]
        #expect(try store.save(changes).isEmpty)
        #expect(try store.count(StoreRequest("Note", where: isSmall)) == 1)
        try store.close()
    }
}
