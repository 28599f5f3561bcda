import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataPersistence
@testable import StrataStoreKit

/// A container's handling of changes that its store announces.
///
/// PostgreSQLTests test a store on a server.
@Suite("Announced changes")
struct AnnouncedChangesTests {
    /// A provider whose store announces changes on request.
    private struct Provider: StoreProvider {
        let store: HookedStore
        let kind = "hooked"
        let canAnnounceChanges = true

        func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore { store }
        func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws {}
    }

    private static func container(_ store: HookedStore) throws -> PersistentContainer {
        var description = PersistentStoreDescription(Provider(store: store))
        description.announcesChanges = true
        description.stalenessInterval = nil
        return try PersistentContainer(model: store.model, description, mainQueue: .private)
    }

    private static func store() throws -> HookedStore {
        let store = HookedStore(try InMemoryStoreProvider().open(try Library.model(), options: StoreOptions()))
        try Library.fill(store)
        return store
    }

    /// Announces changes of entities, as a store would.
    private static func announce(_ entities: Set<String>, _ store: HookedStore) throws {
        let observer = try #require(store.observer.withLock { $0 })
        observer(entities)
    }

    private static func name(_ container: PersistentContainer) throws -> String {
        try container.newBackgroundContext().performAndWait { try $0.author(1).name }
    }

    @Test(
        "opening or copying to a store that cannot announce changes throws and creates no file",
        arguments: [StoreKind.inMemory, .xml, .binary])
    func refused(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let provider = kind.provider(in: folder, named: "store")
        var description = PersistentStoreDescription(provider)
        description.announcesChanges = true
        let model = try Library.model()
        let source = try PersistentContainer(model: model, .inMemory, mainQueue: .private)
        let uses: [() throws -> Void] = [
            { _ = try PersistentContainer(model: model, description, mainQueue: .private) },
            { try source.copyPersistentStore(to: description) },
        ]
        for use in uses {
            let error = #expect(throws: PersistenceError.self) { try use() }
            #expect(error?.code == .invalidRequest)
            #expect(
                error?.message
                    == "a store of the kind “\(provider.kind)” cannot report changes of other processes; a SQLite store and a store on a PostgreSQL server can"
            )
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        let store = try kind.open(model, in: folder)
        let error = #expect(throws: PersistenceError.self) { try store.observeRemoteChanges { _ in } }
        #expect(error?.code == .invalidRequest)
        try store.close()
    }

    @Test("a container whose options do not request announcements throws for a subscription")
    func notAsked() throws {
        let container = try PersistentContainer(model: try Library.model(), .inMemory, mainQueue: .private)
        let error = #expect(throws: PersistenceError.self) { try container.remoteChanges() }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("announcesChanges") == true)
    }

    @Test("the cache discards rows of changed entities before subscribers are notified, and keeps other rows")
    func cache() async throws {
        let store = try Self.store()
        let container = try Self.container(store)
        #expect(try Self.name(container) == "Homer")
        var row = try #require(try store.rows(StoreRequest("Author")).first { $0.id == 1 })
        row.values[0] = .string("Melesigenes")
        var changes = ChangeSet()
        changes["Author"].updates = [
            .init(id: 1, expectedVersion: row.version, values: row.values, changedColumns: [0])
        ]
        #expect(try store.save(changes).isEmpty)
        var received = try container.remoteChanges().makeAsyncIterator()
        try Self.announce(["Book"], store)
        #expect(await received.next()?.entities == ["Book"])
        #expect(try Self.name(container) == "Homer")
        try Self.announce(["Author"], store)
        #expect(await received.next()?.entities == ["Author"])
        #expect(try Self.name(container) == "Melesigenes")
    }

    @Test("changes that are announced while a subscriber is busy are combined into one element")
    func together() async throws {
        let store = try Self.store()
        let container = try Self.container(store)
        var listeners = try (0..<2).map { _ in try container.remoteChanges().makeAsyncIterator() }
        for entities in [["Author"], ["Book"], [], ["Author"]] as [Set<String>] { try Self.announce(entities, store) }
        for number in listeners.indices { #expect(await listeners[number].next()?.entities == ["Author", "Book"]) }
        try Self.announce(["Author"], store)
        for number in listeners.indices { #expect(await listeners[number].next()?.entities == ["Author"]) }
    }

    @Test("closing a container ends the change sequence after pending elements, and later subscriptions throw")
    func closed() async throws {
        let store = try Self.store()
        let container = try Self.container(store)
        var received = try container.remoteChanges().makeAsyncIterator()
        try Self.announce(["Author"], store)
        try container.close()
        try Self.announce(["Book"], store)
        #expect(await received.next()?.entities == ["Author"])
        #expect(await received.next() == nil)
        let error = #expect(throws: PersistenceError.self) { try container.remoteChanges() }
        #expect(error?.code == .closed)
    }

    @Test("releasing a container ends the change sequence, and later announcements have no effect")
    func released() async throws {
        let store = try Self.store()
        var received: RemoteChanges.Iterator
        do { received = try Self.container(store).remoteChanges().makeAsyncIterator() }
        try Self.announce(["Author"], store)
        #expect(await received.next() == nil)
    }

    @Test("a canceled task stops waiting for announced changes")
    func cancelled() async throws {
        let container = try Self.container(try Self.store())
        let changes = try container.remoteChanges()
        let task = Task {
            var count = 0
            for await _ in changes { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
        try container.close()
    }
}
