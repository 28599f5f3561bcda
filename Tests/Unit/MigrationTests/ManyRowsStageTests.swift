import Foundation
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Synchronization
import Testing

@testable import StrataSQLite

/// Stages over more rows than are read or written at once.
///
/// The results and errors must equal those of code that is called row by row.
@Suite("Stages over many rows")
struct ManyRowsStageTests {
    private static let count: Int64 = 5_000
    /// Only the SQLite store reads and writes in blocks, of 2,048 rows; stores in one file migrate like the in-memory
    /// store.
    private static let inBlocksOrNot: [StoreKind] = [.sqlite, .inMemory]
    private static let usually = Seeds.first(1, of: inBlocksOrNot)
    private static let first = [EntityDescription("Item", [attribute("number", .integer64, optional: false)])]
    private static let second = [
        EntityDescription(
            "Item", [attribute("number", .integer64, optional: false), attribute("label", unique: true)]),
        EntityDescription("Note", [attribute("text")]),
    ]

    private static func earlier(_ kind: StoreKind) throws -> EarlierStore {
        let rows = (1...count).map { ($0, [StoredValue.integer($0)]) }
        return try EarlierStore(kind, first, rows: ["Item": Dictionary(uniqueKeysWithValues: rows)])
    }

    /// Opens a store whose items are created by code.
    private static func open(
        _ earlier: EarlierStore,
        _ body: @escaping @Sendable (DynamicRecord, inout DynamicRecord, MigratingRows) throws -> MigratedRow
    ) throws -> any PersistentStore {
        var description = earlier.description
        description.migrationPlan = try MigrationPlan(
            [ModelVersion("1", try ManagedObjectModel(first)), ModelVersion("2", try ManagedObjectModel(second))],
            stages: [.custom(from: "1", to: "2", [EntityTransform("Item", body)])])
        return try PersistentContainer(model: try ManagedObjectModel(second), description, mainQueue: .private)
            .coordinator.store
    }

    @Test("a stage processes every row in order and stores all rows that its code keeps", arguments: inBlocksOrNot)
    func all(_ kind: StoreKind) throws {
        let earlier = try Self.earlier(kind)
        defer { withExtendedLifetime(earlier) {} }
        let seen = Mutex<[Int64]>([])
        let store = try Self.open(earlier) { old, new, _ in
            seen.withLock { $0.append(old.id.rawValue) }
            try new.set("label", to: "\(old.id)")
            return old.id.rawValue.isMultiple(of: 3) ? .drop : .keep
        }
        #expect(seen.withLock { $0 } == Array(1...Self.count))
        let rows = try store.rows(StoreRequest("Item"))
        #expect(
            rows
                == (1...Self.count).filter { !$0.isMultiple(of: 3) }.map {
                    StoredRow(id: $0, version: 1, values: [.integer($0), .string("\($0)")])
                })
        #expect(try store.reserveIdentifiers(1, of: "Item") == Self.count + 1...Self.count + 1)
    }

    @Test(
        "code that reads during a stage finds every row that the stage created earlier", arguments: usually,
        Seeds.first(2, of: [2_048, 1, 2_047, 2_049, 4_500]))
    func reads(_ kind: StoreKind, from begin: Int64) throws {
        let earlier = try Self.earlier(kind)
        defer { withExtendedLifetime(earlier) {} }
        let found = Mutex<[Int64: [Int]]>([:])
        let store = try Self.open(earlier) { old, new, rows in
            let id = old.id.rawValue
            try new.set("label", to: "\(id)")
            guard id >= begin, id < begin + 3 || id.isMultiple(of: 997) else { return .keep }
            var (before, made) = (0, 0)
            try rows.old.fetch("Item") { _ in before += 1 }
            try rows.new.fetch("Item") { _ in made += 1 }
            found.withLock { $0[id] = [before, made] }
            return .keep
        }
        for (id, counts) in found.withLock({ $0 }) { #expect(counts == [Int(Self.count), Int(id) - 1], "row \(id)") }
        #expect(found.withLock { $0[begin] } != nil)
        #expect(try store.count(StoreRequest("Item")) == Int(Self.count))
    }

    @Test("rows that a stage's code adds are stored after the migrated rows", arguments: inBlocksOrNot)
    func adds(_ kind: StoreKind) throws {
        let earlier = try Self.earlier(kind)
        defer { withExtendedLifetime(earlier) {} }
        let store = try Self.open(earlier) { old, _, rows in
            if old.id.rawValue.isMultiple(of: 1_250) { try rows.insert("Note", ["text": "\(old.id)"]) }
            if old.id.rawValue == 2_700 { try rows.insert("Item", ["number": Int64(-2_700), "label": "more"]) }
            return .keep
        }
        #expect(
            try store.values("Note") == [
                1: [.string("1250")], 2: [.string("2500")], 3: [.string("3750")], 4: [.string("5000")],
            ])
        // The new identifier is greater than all existing ones.
        #expect(try store.rows(StoreRequest("Item")).last?.id == Self.count + 1)
        #expect(try store.count(StoreRequest("Item")) == Int(Self.count) + 1)
    }

    @Test(
        "a duplicate unique value is reported with its row, and the migration is rolled back", arguments: usually,
        Seeds.first(2, of: [2_049, 611, 2_048, 4_997]))
    func taken(_ kind: StoreKind, at row: Int64) throws {
        let earlier = try Self.earlier(kind)
        let error = failure {
            _ = try Self.open(earlier) { old, new, _ in
                try new.set("label", to: old.id.rawValue == row ? "4" : "\(old.id)")
                return .keep
            }
        }
        #expect(error?.code == .uniqueness)
        #expect(error?.entity == "Item")
        #expect(error?.attribute == "label")
        #expect(error?.value == "“4”" || error?.value == "4", "\(error?.value ?? "none")")
        #expect(error?.message.contains("object \(row):") == true, "\(error?.message ?? "none")")
        #expect(try earlier.open(Self.first).count(StoreRequest("Item")) == Int(Self.count))
    }

    @Test(
        "code that ignores an error of the store cannot hide the error: the migration is rolled back",
        arguments: inBlocksOrNot)
    func swallowed(_ kind: StoreKind) throws {
        let earlier = try Self.earlier(kind)
        let error = failure {
            _ = try Self.open(earlier) { old, new, rows in
                let id = old.id.rawValue
                try new.set("label", to: id == 20 ? "4" : "\(id)")
                // Code that reads at row 30 gets the error of row 20 and ignores it.
                if id >= 30 { try? rows.new.fetch("Note") { _ in } }
                return .keep
            }
        }
        #expect(error?.code == .uniqueness)
        #expect(error?.message.contains("object 20:") == true, "\(error?.message ?? "none")")
        #expect(try earlier.open(Self.first).count(StoreRequest("Item")) == Int(Self.count))
    }

    @Test(
        "an error of the code rolls the migration back", arguments: usually,
        Seeds.first(2, of: [2_049, 5_000, 1, 300]))
    func thrown(_ kind: StoreKind, at place: Int64) throws {
        struct Stopped: Error {}
        let earlier = try Self.earlier(kind)
        #expect(throws: (any Error).self) {
            _ = try Self.open(earlier) { old, _, _ in
                if old.id.rawValue == place { throw Stopped() }
                return .keep
            }
        }
        #expect(try earlier.open(Self.first).count(StoreRequest("Item")) == Int(Self.count))
    }

    @Test(
        "a stage with several errors reports the first error", arguments: usually, [30, 2_100])
    func first(_ kind: StoreKind, before place: Int64) throws {
        struct Stopped: Error {}
        let earlier = try Self.earlier(kind)
        let error = failure {
            _ = try Self.open(earlier) { old, new, _ in
                let id = old.id.rawValue
                try new.set("label", to: id == 20 ? "4" : "\(id)")
                if id == place { throw Stopped() }
                return .keep
            }
        }
        #expect(error?.code == .uniqueness)
        #expect(error?.message.contains("object 20:") == true, "\(error?.message ?? "none")")
    }

    @Test(
        "a stage processes the rows before a corrupt row, and reports their errors first", arguments: [false, true])
    func damaged(isFirstWrong: Bool) throws {
        let earlier = try Self.earlier(.sqlite)
        let connection = try SQLiteConnection(path: earlier.url.path, access: .readWrite, busyTimeout: .seconds(5))
        // No row can have that identifier.
        try connection.execute("INSERT INTO Item VALUES (9223372036854775807, 1, 7)")
        connection.close()
        let seen = Mutex<Int64>(0)
        let error = failure {
            _ = try Self.open(earlier) { old, new, _ in
                seen.withLock { $0 = old.id.rawValue }
                try new.set("label", to: isFirstWrong && old.id.rawValue == 4_999 ? "4" : "\(old.id)")
                return .keep
            }
        }
        #expect(error?.code == (isFirstWrong ? .uniqueness : .corrupt), "\(error?.message ?? "none")")
        #expect(seen.withLock { $0 } == Self.count)
    }

    @Test("a stage stores long values completely", arguments: usually)
    func long(_ kind: StoreKind) throws {
        let earlier = try Self.earlier(kind)
        defer { withExtendedLifetime(earlier) {} }
        let store = try Self.open(earlier) { old, new, _ in
            guard old.id.rawValue <= 12 else { return .drop }
            try new.set("label", to: String(repeating: "x", count: 300_000) + "\(old.id)")
            return .keep
        }
        let lengths = try store.rows(StoreRequest("Item")).map { row in
            if case .string(let text) = row.values[1] { text.utf8.count } else { 0 }
        }
        #expect(lengths == (1...12).map { 300_000 + "\($0)".utf8.count })
    }
}
