import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@Suite("Following a SQLite file that others write")
struct FollowingFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func container(follows: Bool = false, isReadOnly: Bool = false) throws -> PersistentContainer {
        var description = PersistentStoreDescription.sqlite(at: folder.file("league.sqlite"))
        description.announcesChanges = follows
        if isReadOnly { description = description.readOnly }
        return try PersistentContainer(model: try League.model(), description, mainQueue: .private)
    }

    private func addPlayer(_ name: String, _ container: PersistentContainer) throws {
        _ = try container.backgroundContext.performTransactionAndWait { context in
            _ = try context.insert(Player.self) { Player(id: $0, name: name) }
        }
    }

    @Test(
        "values change with the commits of other containers, also in a container that only reads",
        arguments: [false, true])
    func values(_ isReadOnly: Bool) async throws {
        let writer = try container()
        try addPlayer("Ann", writer)
        let reader = try container(follows: true, isReadOnly: isReadOnly)
        var players = reader.observe(FetchRequest<Player>(sort: [SortKey(\.name)])).makeAsyncIterator()
        #expect(try await players.next()?.map(\.name) == ["Ann"])
        try addPlayer("Ben", writer)
        #expect(try await players.next()?.map(\.name) == ["Ann", "Ben"])
        try reader.close()
        #expect(try await players.next() == nil)
        try writer.close()
    }

    @Test("a context that merges automatically gets the values that another container saved")
    func merging() async throws {
        let (own, other) = (try container(follows: true), try container())
        try addPlayer("Ann", other)
        let byName = FetchRequest<Player>(sort: [SortKey(\.name)])
        let kept = Keeper()
        try await own.mainContext.perform { kept.keep(try #require(try $0.fetch(byName).first)) }
        var merged = own.mainContext.observe(byName).makeAsyncIterator()
        #expect(try await merged.next()?.map(\.name) == ["Ann"])
        _ = try other.batchUpdate("Player", set: ["name": .constant(.string("Abe"))])
        #expect(try await merged.next()?.map(\.name) == ["Abe"])
        await own.mainContext.perform { _ in kept.release() }
        for container in [own, other] { try container.close() }
    }

    @Test("own commits and checkpoints are not reported, and those of others name all entities")
    func own() async throws {
        let (own, other) = (try container(follows: true), try container())
        var changes = try own.remoteChanges().makeAsyncIterator()
        for _ in 0..<5 { try addPlayer("Own", own) }
        try await Task.sleep(for: .milliseconds(300))
        try addPlayer("Other", other)
        let change = await changes.next()
        #expect(change?.entities == Set(try League.model().entities.map(\.name)))
        try own.close()
        // The five commits were not reported.
        #expect(await changes.next() == nil)
        try other.close()
    }

    @Test("a store has one subscription, and close ends it also inside its closure")
    func closing() throws {
        let container = try container()
        let store = container.coordinator.store
        try store.observeRemoteChanges { _ in }
        #expect { try store.observeRemoteChanges { _ in } } throws: {
            ($0 as? PersistenceError)?.code == .invalidRequest
        }
        try container.close()
    }

    @Test("a store that is closed inside a write throws, and does not wait for the check of commits")
    func closingInsideAWrite() throws {
        let container = try container(follows: true)
        let store = container.coordinator.store
        try store.transaction { _ in
            // Meanwhile the check begins, and waits for the writing connection.
            Thread.sleep(forTimeInterval: 0.25)
            #expect { try store.close() } throws: { ($0 as? PersistenceError)?.code == .invalidRequest }
            return .commit
        }
        try container.close()
    }
}
