#if PostgreSQL
import Foundation
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// Connections that are cut, at a commit and at any other time.
@Suite("Lost connections", .enabled(if: Server.connection != nil, "make test-postgres starts a server"))
struct LostConnectionTests {
    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel([
            EntityDescription("Counter", [.attribute(AttributeDescription("value", .integer64))])
        ])
    }

    /// A save of one statement, and one of several.
    enum Save: CaseIterable { case ofOneRow, ofTwoRows }

    /// A store behind a proxy with one counter of value 0.
    private struct Behind {
        let proxy: CuttingProxy
        let store: any PersistentStore

        private let save: Save

        init(_ save: Save, busyTimeout: Duration = .seconds(30)) throws {
            self.save = save
            proxy = try CuttingProxy(Server.connection ?? "")
            var options = StoreOptions()
            options.busyTimeout = busyTimeout
            store = try PostgreSQLStoreProvider(
                PostgreSQLSettings(proxy.connection, schema: "lost \(UUID().uuidString)")
            ).open(try LostConnectionTests.model(), options: options)
            var changes = ChangeSet()
            changes["Counter"].insertions = [.init(id: 1, values: [.integer(0)])]
            _ = try store.save(changes)
        }

        func counter() throws -> StoredRow? { try store.rows(StoreRequest("Counter")).first }

        /// Increments the counter from a given state, with or without changing another row.
        func count(from row: StoredRow) throws -> Bool {
            guard case .integer(let value) = row.values[0] else { return false }
            var changes = ChangeSet()
            changes["Counter"].updates = [
                .init(
                    id: row.id, expectedVersion: row.version, values: [.integer(value + 1)], changedColumns: [0])
            ]
            if save == .ofTwoRows { changes["Counter"].insertions = [.init(id: value + 2, values: [.integer(0)])] }
            return try store.save(changes).isEmpty
        }
    }

    @Test(
        "a commit that the server did not receive stores nothing, and the error says that nothing was stored",
        arguments: Save.allCases)
    func lost(_ save: Save) throws {
        let behind = try Behind(save)
        let row = try #require(try behind.counter())
        behind.proxy.onCommit(.isLost)
        let error = #expect(throws: PersistenceError.self) { try behind.count(from: row) }
        #expect(error?.code == .inputOutput)
        #expect(error?.message.contains("nothing was stored") == true, "\(error as Any)")
        #expect(try behind.counter()?.values == [.integer(0)])
        #expect(try behind.count(from: row))
        try behind.store.close()
    }

    @Test("a commit succeeds even if the server's answer is lost", arguments: Save.allCases)
    func unanswered(_ save: Save) throws {
        let behind = try Behind(save)
        let row = try #require(try behind.counter())
        behind.proxy.onCommit(.isUnanswered)
        #expect(try behind.count(from: row))
        #expect(try behind.counter()?.values == [.integer(1)])
        try behind.store.close()
    }

    @Test(
        "a commit whose answer is lost has an unknown outcome if the server is unreachable afterwards",
        arguments: Save.allCases)
    func unknown(_ save: Save) throws {
        let behind = try Behind(save, busyTimeout: .milliseconds(200))
        let row = try #require(try behind.counter())
        behind.proxy.onCommit(.isUnanswered, refusingFromThen: true)
        let error = #expect(throws: PersistenceError.self) { try behind.count(from: row) }
        #expect(error?.code == .unknownOutcome)
        behind.proxy.admit()
        #expect(try behind.counter()?.values == [.integer(1)])
        try behind.store.close()
    }

    @Test(
        "exactly the acknowledged increments are stored even if connections are cut at random times",
        arguments: Seeds.first(4, of: 0..<UInt64(100)), Save.allCases)
    func anywhere(_ seed: UInt64, _ save: Save) throws {
        let behind = try Behind(save)
        let random = Guarded(SeededGenerator(seed: seed))
        behind.proxy.cut { random.withLock { Int.random(in: 0..<6_000, using: &$0) } }
        // The earlier connection is not cut, and is in use.
        let snapshots = try behind.store.openSnapshots(1)
        var counted: Int64 = 0
        var failures = 0
        for _ in 0..<120 {
            do {
                guard let row = try behind.counter() else { continue }
                #expect(row.values == [.integer(counted)])
                if try behind.count(from: row) { counted += 1 }
            } catch let error as PersistenceError {
                #expect(error.code == .inputOutput, "\(error)")
                failures += 1
            }
        }
        behind.proxy.cut { nil }
        for snapshot in snapshots { snapshot.close() }
        #expect(counted > 0)
        #expect(failures > 0)
        // This uses the connection of the snapshot, which was released last.
        #expect(try behind.counter()?.values == [.integer(counted)])
        try behind.store.close()
    }
}
#endif
