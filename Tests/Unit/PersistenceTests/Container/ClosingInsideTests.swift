import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Synchronization
import Testing

/// Closing a store or container inside the closures that it runs.
///
/// This never blocks or traps, and always closes completely.
///
/// The tests run for every kind of store; stores in one file have a lock to release.
@Suite("Closing from inside a store's own blocks")
struct ClosingInsideTests {
    private static let teams = StoreRequest("Team")

    /// A store with three teams and the folder of its file.
    private struct Open {
        let folder: TemporaryFolder
        let store: any PersistentStore

        init(_ kind: StoreKind) throws {
            folder = try TemporaryFolder()
            store = try kind.open(try League.model(), in: folder)
            #expect(try store.save(ClosingInsideTests.inserting(1...3)).isEmpty)
        }
    }

    private static func inserting(_ ids: ClosedRange<Int64>) -> ChangeSet {
        var changes = ChangeSet()
        changes["Team"].insertions = ids.map {
            .init(id: $0, values: [.string("T\($0)"), .null, .integer(0)], version: 1)
        }
        return changes
    }

    /// Expects that every call that needs the store throws, and that closing it again has no effect.
    private static func expectClosed(_ store: any PersistentStore, entity: String = "Team") throws {
        let all = StoreRequest(entity)
        var deletion = ChangeSet()
        deletion[entity].deletions = [.init(id: 1, expectedVersion: 1)]
        let calls: [() throws -> Void] = [
            { _ = try store.count(all) }, { _ = try store.rows(all) }, { _ = try store.openCursor(all) },
            { _ = try store.openSnapshots(1) }, { _ = try store.save(deletion) },
            { _ = try store.reserveIdentifiers(1, of: entity) }, { try store.writeRows { _ in } },
            { try store.transaction { _ in .commit } }, { _ = try store.metadata(forKey: "k") },
            { _ = try store.information() },
        ]
        for call in calls { #expect(try persistenceError(call).code == .closed) }
        try store.close()
    }

    @Test(
        "a store closed inside a fetch's body finishes the fetch, and every later call throws",
        arguments: StoreKind.everyKind)
    func fetch(_ kind: StoreKind) throws {
        let open = try Open(kind)
        var ids: [Int64] = []
        try open.store.fetch(Self.teams) { row in
            try open.store.close()
            try Self.expectClosed(open.store)
            ids.append(row.rawID)
            return .next
        }
        #expect(ids == [1, 2, 3])
        try Self.expectClosed(open.store)
    }

    @Test("a store closed inside the body of a nested fetch finishes both fetches", arguments: StoreKind.everyKind)
    func nestedFetch(_ kind: StoreKind) throws {
        let open = try Open(kind)
        var count = 0
        try open.store.fetch(Self.teams) { _ in
            if count == 0 {
                try open.store.fetch(Self.teams) { _ in
                    try open.store.close()
                    count += 1
                    return .next
                }
            }
            count += 1
            return .next
        }
        #expect(count == 6)
        try Self.expectClosed(open.store)
    }

    @Test(
        "a store closed inside a fetch's body is closed when the fetch ends, and has no companion files",
        arguments: [StoreKind.sqlite, .xml, .binary])
    func fileAlone(_ kind: StoreKind) throws {
        let open = try Open(kind)
        let cursor = try open.store.openCursor(Self.teams)
        #expect(try cursor.next { _ in })
        try open.store.fetch(Self.teams) { _ in
            try open.store.close()
            return .stop
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: open.folder.url.path)
        #expect(names.count == 1)
        #expect(try persistenceError { _ = try cursor.next { _ in } }.code == .closed)
    }

    @Test("a store closed inside a cursor's body ends the cursor", arguments: StoreKind.everyKind, [false, true])
    func cursor(_ kind: StoreKind, ofSnapshot: Bool) throws {
        let open = try Open(kind)
        let snapshot = try #require(try open.store.openSnapshots(1).first)
        var reader: any StoreReader = open.store
        if ofSnapshot { reader = snapshot }
        let cursor = try reader.openCursor(Self.teams)
        var count = 0
        let error = try persistenceError {
            _ = try cursor.read { _ in
                count += 1
                try open.store.close()
                return .next
            }
        }
        #expect(error.code == .closed)
        #expect(error.message.hasPrefix("the store was closed"))
        #expect(count == 1)
        for _ in 1...2 { #expect(try persistenceError { _ = try cursor.next { _ in } }.code == .closed) }
        #expect(try persistenceError { _ = try reader.count(Self.teams) }.code == .closed)
        try Self.expectClosed(open.store)
    }

    @Test(
        "a snapshot closed inside its cursor's body ends the cursor and not the store", arguments: StoreKind.everyKind)
    func snapshot(_ kind: StoreKind) throws {
        let open = try Open(kind)
        let snapshots = try open.store.openSnapshots(2)
        let cursor = try snapshots[0].openCursor(Self.teams)
        let exists = try cursor.next { _ in snapshots[0].close() }
        #expect(exists)
        for _ in 1...2 { #expect(try persistenceError { _ = try cursor.next { _ in } }.code == .closed) }
        #expect(try persistenceError { _ = try snapshots[0].count(Self.teams) }.code == .closed)
        var count = 0
        try snapshots[1].fetch(Self.teams) { _ in
            snapshots[1].close()
            count += 1
            return .next
        }
        #expect(count == 3)
        #expect(try persistenceError { _ = try snapshots[1].count(Self.teams) }.code == .closed)
        #expect(try open.store.count(Self.teams) == 3)
        try open.store.close()
    }

    @Test("a cursor of a snapshot may be released inside another cursor's body", arguments: StoreKind.everyKind)
    func otherCursor(_ kind: StoreKind) throws {
        let open = try Open(kind)
        let snapshot = try #require(try open.store.openSnapshots(1).first)
        var other: (any RowCursor)? = try snapshot.openCursor(Self.teams)
        _ = try other?.next { _ in }
        var count = 0
        _ = try snapshot.openCursor(Self.teams).read { _ in
            other = nil
            count += 1
            return .next
        }
        #expect(count == 3)
        #expect(other == nil)
        #expect(try snapshot.count(Self.teams) == 3)
        #expect(try snapshot.openCursor(Self.teams).next { _ in })
        try open.store.close()
    }

    // The cursors over a store that is one file retain its data: such a store is not released before them.
    @Test(
        "releasing the store inside a cursor's body closes the store and ends the cursor",
        arguments: StoreKind.allCases.filter { $0 != .inMemory })
    func released(_ kind: StoreKind) throws {
        var open: Open? = try Open(kind)
        let folder = try #require(open?.folder)
        let cursor = try #require(try open?.store.openCursor(Self.teams))
        let exists = try cursor.next { _ in open = nil }
        #expect(exists)
        #expect(try persistenceError { _ = try cursor.next { _ in } }.code == .closed)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.count == (kind == .sqlite ? 1 : 0))
    }

    @Test(
        "closing a store inside a writing closure throws, and the written data is stored",
        arguments: StoreKind.everyKind)
    func writing(_ kind: StoreKind) throws {
        let open = try Open(kind)
        let store = open.store
        func expectRefused() throws {
            let error = try persistenceError { try store.close() }
            #expect(error.code == .invalidRequest)
            #expect(
                error.message
                    == "the store is being written on this thread; save, create identifiers and close the store before "
                    + "or after the write"
            )
            #expect(try store.count(Self.teams) >= 3)
        }
        try store.writeRows { writer in
            try expectRefused()
            try writer.setMetadata("v", forKey: "k")
        }
        try store.transaction { transaction in
            try expectRefused()
            try transaction.fetch(Self.teams) { _ in
                try expectRefused()
                return .next
            }
            #expect(try transaction.save(Self.inserting(4...4)).isEmpty)
            return .commit
        }
        #expect(try store.metadata(forKey: "k") == "v")
        #expect(try store.count(Self.teams) == 4)
        try store.close()
        try Self.expectClosed(store)
    }

    @Test(
        "closing a container inside a bulk insert throws, and the container stays open",
        arguments: StoreKind.everyKind)
    func batchInsert(_ kind: StoreKind) throws {
        let stack = try kind.league()
        try stack.container.batchInsert(into: "Team") { rows in
            #expect(try persistenceError { try stack.container.close() }.code == .invalidRequest)
            try rows.insert(
                values: [.string("Reds"), .null, .integer(0)], location: RowLocation(line: 1, record: 1))
        }
        try stack.team("Blues")
        #expect(try stack.stored(Team.self).map(\.name) == ["Reds", "Blues"])
        try stack.container.close()
        #expect(try persistenceError { try stack.team("Greens") }.code == .closed)
    }

    @Test("a fetch hook may close the container, and the fetch returns its objects", arguments: StoreKind.everyKind)
    func hook(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Farewell.self]))
        let container = stack.container
        try stack.background.performAndWait { context in
            for number in 1...3 { _ = try context.insert(Farewell.self) { Farewell(id: $0, number: number) } }
            try context.save()
        }
        let other = container.newBackgroundContext(name: "other")
        let numbers = try Farewell.$closing.withValue((.awakeFromFetch, container)) {
            try other.performAndWait { try $0.fetch(FetchRequest<Farewell>()).map(\.number) }
        }
        #expect(numbers == [1, 2, 3])
        #expect(
            try persistenceError { _ = try other.performAndWait { try $0.count(FetchRequest<Farewell>()) } }.code
                == .closed)
    }

    /// A container with one farewell and the location of its store.
    private struct Farewells {
        let folder: TemporaryFolder
        let description: PersistentStoreDescription
        let container: PersistentContainer

        init(_ kind: StoreKind) throws {
            folder = try TemporaryFolder()
            description = PersistentStoreDescription(kind.provider(in: folder))
            container = try Self.open(description)
            try container.backgroundContext.performAndWait { context in
                _ = try context.insert(Farewell.self) { Farewell(id: $0, number: 1) }
                try context.save()
            }
        }

        static func open(_ description: PersistentStoreDescription) throws -> PersistentContainer {
            try PersistentContainer(
                model: try ManagedObjectModel(records: [Farewell.self]), description, mainQueue: .private)
        }

        /// Changes the first farewell, adds another one and saves, while a hook closes the container.
        func change(_ context: ManagedObjectContext, inTransaction: Bool, closingIn hook: Farewell.Hook) throws {
            try Farewell.$closing.withValue((hook, container)) {
                try context.performAndWait { context in
                    func change() throws {
                        try #require(try context.fetch(FetchRequest<Farewell>()).first).number = 10
                        _ = try context.insert(Farewell.self) { Farewell(id: $0, number: 2) }
                    }
                    if inTransaction { return try context.transaction { _ in try change() } }
                    try change()
                    try context.save()
                }
            }
        }

        func expectClosed(_ context: ManagedObjectContext) throws {
            let error = try persistenceError {
                _ = try context.performAndWait { try $0.count(FetchRequest<Farewell>()) }
            }
            #expect(error.code == .closed)
            try ClosingInsideTests.expectClosed(container.coordinator.store, entity: "Farewell")
        }

        /// Returns the stored values, read by opening the store again.
        func stored() throws -> [Int] {
            let again = try Self.open(description)
            let numbers = try again.backgroundContext.performAndWait { context in
                try context.fetchRecords(FetchRequest<Farewell>()).map(\.number)
            }
            try again.close()
            return numbers
        }
    }

    @Test(
        "a hook that closes the container before a save makes the save throw, and nothing is stored",
        arguments: StoreKind.everyKind, [false, true])
    func hookBeforeSave(_ kind: StoreKind, inTransaction: Bool) throws {
        let farewells = try Farewells(kind)
        let context = farewells.container.newBackgroundContext(name: "closing")
        let error = try persistenceError {
            try farewells.change(context, inTransaction: inTransaction, closingIn: .willSave)
        }
        #expect(error.code == .closed)
        #expect(context.performAndWait { $0.hasChanges } == !inTransaction, "a transaction takes its changes back")
        try farewells.expectClosed(context)
        // Data that was only in memory does not exist any more.
        if kind != .inMemory { #expect(try farewells.stored() == [1]) }
    }

    @Test(
        "a hook that closes the container after a save does not affect the save or its caller",
        arguments: StoreKind.everyKind, [false, true])
    func hookAfterSave(_ kind: StoreKind, inTransaction: Bool) throws {
        let farewells = try Farewells(kind)
        let context = farewells.container.newBackgroundContext(name: "closing")
        try farewells.change(context, inTransaction: inTransaction, closingIn: .didSave)
        #expect(!context.performAndWait { $0.hasChanges })
        try farewells.expectClosed(context)
        // Data that was only in memory does not exist any more.
        if kind != .inMemory { #expect(try farewells.stored() == [10, 2]) }
    }

    @Test(
        "closing a store on another thread waits for a running fetch, which reads all rows",
        arguments: StoreKind.everyKind)
    func otherThread(_ kind: StoreKind) throws {
        let open = try Open(kind)
        let store = open.store
        let failures = Mutex<[String]>([])
        let closing = DispatchGroup()
        var count = 0
        try store.fetch(Self.teams) { _ in
            if count == 0 {
                // The thread is separate, because all threads of the tests may be waiting here.
                closing.enter()
                Thread.detachNewThread {
                    do { try store.close() } catch { failures.withLock { $0.append("\(error)") } }
                    closing.leave()
                }
            }
            // This waits until the other thread has begun to close.
            while Self.isOpen(store) { sched_yield() }
            count += 1
            return .next
        }
        closing.wait()
        #expect(count == 3)
        #expect(failures.withLock { $0 } == [])
        try Self.expectClosed(store)
    }

    private static func isOpen(_ store: any PersistentStore) -> Bool {
        do {
            _ = try store.count(teams)
            return true
        } catch {
            return false
        }
    }

    @Test("destroying an SQLite store inside a fetch's body throws, because the store is in use")
    func destroying() throws {
        let folder = try TemporaryFolder()
        var description = PersistentStoreDescription.sqlite(at: folder.file("store.sqlite"))
        description.busyTimeout = .milliseconds(20)
        let container = try PersistentContainer(model: try League.model(), description, mainQueue: .private)
        _ = try container.coordinator.store.save(Self.inserting(1...2))
        try container.coordinator.store.fetch(Self.teams) { _ in
            let error = try persistenceError { try container.destroyPersistentStore() }
            #expect(error.code == .locked)
            return .next
        }
        try container.destroyPersistentStore()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test(
        "a store that keeps its data in memory can be destroyed inside a fetch's body, and the fetch continues",
        arguments: [StoreKind.inMemory, .xml, .binary])
    func destroyingInMemory(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let (container, folder) = (stack.container, stack.folder)
        _ = try container.coordinator.store.save(Self.inserting(1...2))
        var count = 0
        try container.coordinator.store.fetch(Self.teams) { _ in
            try container.destroyPersistentStore()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
            count += 1
            return .next
        }
        #expect(count == 2)
        try Self.expectClosed(container.coordinator.store)
    }
}

/// A record that closes a container in one of its hooks.
private struct Farewell: PersistentRecord, LifecycleHooks {
    enum Hook { case awakeFromFetch, willSave, didSave }

    @TaskLocal static var closing: (hook: Hook, container: PersistentContainer)?

    let id: PlayerID
    var number: Int

    static let entity = RecordEntity<Farewell>("Farewell", id: \.id, [.attribute("number", \.number)]) { row in
        Farewell(id: try row.id(), number: try row.next())
    }

    static func close(in hook: Hook) throws {
        if let closing, closing.hook == hook { try closing.container.close() }
    }

    static func awakeFromFetch(_ object: Managed<Farewell>, in context: ConfinedContext) throws {
        try close(in: .awakeFromFetch)
    }

    static func willSave(_ object: Managed<Farewell>, in context: ConfinedContext) throws { try close(in: .willSave) }

    static func didSave(_ object: Managed<Farewell>, in context: ConfinedContext) {
        // A hook after a save cannot throw.
        do { try close(in: .didSave) } catch { Issue.record(error) }
    }
}
