import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

/// The durability in a store's description determines SQLite's settings.
@Suite("Durability")
struct DurabilityTests {
    /// The results of `PRAGMA synchronous`.
    enum Synchronous: Int64 { case off, normal, full, extra }

    private func synchronous(_ container: PersistentContainer) throws -> Synchronous? {
        let store = try #require(container.coordinator.store as? SQLiteStore)
        let number = try store.withWriter { try $0.number("PRAGMA synchronous") }
        return number.flatMap(Synchronous.init)
    }

    @Test("a commit waits for the disk only with full durability")
    func waits() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store.sqlite")
        #expect(PersistentStoreDescription.sqlite(at: url).durability == .normal)
        var description = PersistentStoreDescription.sqlite(at: url)
        description.durability = .full
        for (durability, expected) in [(Durability.normal, Synchronous.normal), (.full, .extra), (.normal, .normal)] {
            description.durability = durability
            let container = try PersistentContainer(
                model: try League.model(), description, mainQueue: .private)
            try container.backgroundContext.performTransactionAndWait { context in
                _ = try context.insert(Team.self) { Team(id: $0, name: "Reds") }
            }
            #expect(try synchronous(container) == expected)
            try container.close()
        }
    }

    @Test("a store uses SQLite's full synchronization if another program prevents the write-ahead log")
    func withoutLog() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store.sqlite")
        try SQLiteStore.open(at: url, model: try League.model()).close()
        let other = try SQLiteConnection(path: url.path, access: .readWrite, busyTimeout: .zero)
        try other.execute("PRAGMA journal_mode = DELETE; BEGIN; SELECT count(*) FROM strata_metadata")
        var description = PersistentStoreDescription.sqlite(at: url)
        description.busyTimeout = .milliseconds(50)
        let container = try PersistentContainer(model: try League.model(), description, mainQueue: .private)
        #expect(try synchronous(container) == .full)
        try other.execute("COMMIT")
        other.close()
        try container.close()
    }

    @Test("full durability is rejected for a store that cannot guarantee durability")
    func refused() throws {
        let store = try InMemoryStoreProvider().open(try League.model(), options: StoreOptions())
        for var description in [PersistentStoreDescription.inMemory, .custom("mine") { _ in store }] {
            description.durability = .full
            let error = #expect(throws: PersistenceError.self) {
                try PersistentContainer(model: try League.model(), description, mainQueue: .private)
            }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("survive a power failure") == true)
        }
    }
}
