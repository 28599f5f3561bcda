import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQL
@testable import StrataSQLite
@testable import StrataStoreKit

@Suite("Snapshots of an SQLite file")
struct SnapshotTests {
    /// A store of two accounts between which amounts are moved: their sum is always zero.
    private struct Bank {
        let folder = try? TemporaryFolder()
        let url: URL
        let store: SQLiteStore

        init(busyTimeout: Duration = .seconds(5)) throws {
            let folder = try #require(folder)
            url = folder.file("bank.sqlite")
            store = try SQLiteStore.open(at: url, model: Self.model(), busyTimeout: busyTimeout)
            var changes = ChangeSet()
            changes["Account"].insertions = [1, 2].map { .init(id: $0, values: [.integer(0)], version: 1) }
            #expect(try store.save(changes).isEmpty)
        }

        static func model() throws -> ManagedObjectModel {
            try ManagedObjectModel([EntityDescription("Account", [.attribute(AttributeDescription("sum", .integer64))])]
            )
        }

        /// Returns another process's connection, which does not wait for locks.
        func elsewhere() throws -> SQLiteConnection {
            try SQLiteConnection(path: url.path, access: .readWrite, busyTimeout: .zero)
        }
    }

    @Test("reading a snapshot inside a read of the same snapshot throws instead of blocking")
    func nested() throws {
        let bank = try Bank()
        let snapshots = try bank.store.openSnapshots(2)
        defer { for snapshot in snapshots { snapshot.close() } }
        let error = try persistenceError {
            _ = try snapshots[0].openCursor(StoreRequest("Account")).read { _ in
                _ = try snapshots[0].count(StoreRequest("Account"))
                return .next
            }
        }
        #expect(error.code == .invalidRequest)
        _ = try snapshots[0].openCursor(StoreRequest("Account")).read { _ in
            let count = try snapshots[1].count(StoreRequest("Account"))
            #expect(count == 2)
            return .stop
        }
        #expect(try snapshots[0].count(StoreRequest("Account")) == 2)
    }

    @Test(
        "a snapshot has a next identifier only for an entity to which an identifier was assigned",
        arguments: StoreKind.allCases)
    func marks(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(try Bank.model(), in: folder)
        var block = RowBlock(of: try #require(store.model["Account"]))
        func marksWhenWritten() throws -> [String: Int64] {
            try store.writeRows { try $0.inserter(of: "Account", InsertOptions()).insert(&block) }
            let snapshot = try #require(try store.openSnapshots(1).first)
            defer { snapshot.close() }
            return try snapshot.identifierMarks()
        }
        #expect(try marksWhenWritten() == [:])
        block.beginRow(location: RowLocation(line: 1, record: 1))
        block.setInteger(7, column: 0)
        #expect(try marksWhenWritten() == ["Account": 2])
        try store.close()
    }

    private static let transfer = #"UPDATE "Account" SET "sum" = "sum" + CASE "id" WHEN 1 THEN 1 ELSE -1 END"#

    private static func sums(_ snapshot: any StoreSnapshot) throws -> [StoredValue] {
        var sums: [StoredValue] = []
        _ = try snapshot.openCursor(StoreRequest("Account")).read { row in
            sums.append(try row.value(at: 0))
            return .next
        }
        return sums
    }

    @Test("other processes cannot commit while several snapshots are opened together")
    func locked() throws {
        let bank = try Bank()
        let other = try bank.elsewhere()
        let snapshots = try bank.store.openSnapshots(2) { begun in
            guard begun == 1 else { return }
            #expect(throws: PersistenceError.self) { try other.execute(Self.transfer) }
        }
        try other.execute(Self.transfer)
        for snapshot in snapshots { #expect(try Self.sums(snapshot) == [.integer(0), .integer(0)]) }
    }

    @Test("opening two snapshots does not wait for a writer, and restarts if the writer commits meanwhile")
    func committedBetween() throws {
        let bank = try Bank()
        let other = try bank.elsewhere()
        try other.execute("BEGIN IMMEDIATE")
        try other.execute(Self.transfer)
        let before = try bank.store.openSnapshots(2)
        var begun: [Int] = []
        let snapshots = try bank.store.openSnapshots(2) { index in
            begun.append(index)
            if begun == [0, 1] { try other.execute("COMMIT") }
        }
        #expect(begun == [0, 1, 0, 1])
        for snapshot in before { #expect(try Self.sums(snapshot) == [.integer(0), .integer(0)]) }
        for snapshot in snapshots { #expect(try Self.sums(snapshot) == [.integer(1), .integer(-1)]) }
    }

    @Test("continuous commits of another process cause an error, not an inconsistent snapshot")
    func ceaseless() throws {
        let bank = try Bank(busyTimeout: .milliseconds(50))
        let other = try bank.elsewhere()
        try other.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: PersistenceError.self) {
            _ = try bank.store.openSnapshots(2) { index in
                guard index == 1 else { return }
                try other.execute(Self.transfer)
                try other.execute("COMMIT")
                try other.execute("BEGIN IMMEDIATE")
            }
        }
        #expect(error?.code == .locked)
        try other.execute("ROLLBACK")
        #expect(try bank.store.openSnapshots(2).count == 2)
    }

    @Test("a store opened read-only can open snapshots")
    func readOnly() throws {
        let bank = try Bank()
        let reading = try SQLiteStore.open(at: bank.url, model: Bank.model(), isReadOnly: true)
        for snapshot in try reading.openSnapshots(2) { #expect(try Self.sums(snapshot).count == 2) }
        try reading.close()
    }

    @Test("snapshots of a file that the process cannot write take no lock", arguments: [true, false])
    func unwritable(isImmutable: Bool) throws {
        let bank = try Bank()
        if isImmutable { try bank.store.close() }
        let access: SQLiteConnection.Access = isImmutable ? .immutable : .readOnly
        let first = try SQLiteConnection(path: bank.url.path, access: access, busyTimeout: .zero)
        let pool = SQLiteConnectionPool(
            path: bank.url.path, access: access, busyTimeout: .zero, first: first, registration: nil)
        let store = SQLiteStore(
            url: bank.url, layout: SQLLayout(model: try Bank.model(), dialect: SQLiteDialect()), identifier: UUID(),
            isReadOnly: true, durability: .normal, pool: pool)
        let snapshots = try store.openSnapshots(2) { begun in
            guard begun == 1, !isImmutable else { return }
            try bank.elsewhere().execute("BEGIN IMMEDIATE")
        }
        for snapshot in snapshots { #expect(try Self.sums(snapshot) == [.integer(0), .integer(0)]) }
        try store.close()
    }

    @Test("an open snapshot does not block writers")
    func writersGoOn() throws {
        let bank = try Bank()
        let snapshots = try bank.store.openSnapshots(2)
        var changes = ChangeSet()
        changes["Account"].deletions = [.init(id: 1, expectedVersion: 1)]
        #expect(try bank.store.save(changes).isEmpty)
        for snapshot in snapshots { #expect(try Self.sums(snapshot).count == 2) }
        #expect(try bank.store.count(StoreRequest("Account")) == 1)
    }

    @Test("two snapshots opened together show the same state while another thread commits a hundred times")
    func stress() async throws {
        let bank = try Bank()
        let url = bank.url
        let writing = Task.detached {
            let other = try SQLiteConnection(path: url.path, access: .readWrite, busyTimeout: .seconds(5))
            for _ in 0..<100 { try other.execute(Self.transfer) }
        }
        var seen: Set<StoredValue> = []
        for _ in 0..<100 {
            let snapshots = try bank.store.openSnapshots(2)
            let first = try Self.sums(snapshots[0])
            let second = try Self.sums(snapshots[1])
            #expect(first == second)
            guard case .integer(let left) = first[0], case .integer(let right) = second[1] else { continue }
            #expect(left + right == 0)
            seen.insert(first[0])
        }
        try await writing.value
        #expect(!seen.isEmpty)
        #expect(try Self.sums(bank.store.openSnapshots(1)[0]) == [.integer(100), .integer(-100)])
    }
}
