#if PostgreSQL
import Foundation
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

extension Documented {
    static func changes(_ model: ManagedObjectModel) async throws {
        var tenant = PersistentStoreDescription.postgreSQL("postgresql://db.example.com/orders", schema: "acme")
        tenant.announcesChanges = true
        let container = try PersistentContainer(model: model, tenant)
        for await change in try container.remoteChanges() where change.entities.contains("Order") {
            try await container.mainContext.perform { try $0.refreshAllObjects() }
        }
    }
}

/// Notifications between containers of one store, by the server's messages and by rows in a table.
@Suite(
    "Changes of other containers", .serialized,
    .enabled(if: Server.connection != nil, "make test-postgres starts a server"))
struct RemoteChangeTests {
    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel([
            EntityDescription(
                "Account",
                [
                    .attribute(AttributeDescription("name", .string)),
                    .attribute(AttributeDescription("balance", .integer64)),
                ]),
            EntityDescription(
                "Note",
                [
                    .attribute(AttributeDescription("text", .string)),
                    .relationship(RelationshipDescription("tags", to: "Tag", .toMany, inverse: "notes")),
                ]),
            EntityDescription(
                "Tag", [.relationship(RelationshipDescription("notes", to: "Note", .toMany, inverse: "tags"))]),
        ])
    }

    /// A schema for a store, and its containers.
    private struct Place {
        let schema = "changes \(UUID().uuidString)"
        let capabilities: PostgreSQLCapabilities?
        var model = try? RemoteChangeTests.model()

        func description(announces: Bool = true) -> PersistentStoreDescription {
            var description = PersistentStoreDescription.postgreSQL(
                Server.connection ?? "", schema: schema, applicationName: schema, capabilities: capabilities)
            description.announcesChanges = announces
            return description
        }

        func container(announces: Bool = true) throws -> PersistentContainer {
            try PersistentContainer(
                model: try #require(model), description(announces: announces), mainQueue: .private)
        }

        /// Returns a Boolean value that indicates whether the table of changes exists.
        func hasMarks() throws -> Bool {
            let answer = try Server.psql(
                "SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema)' AND tablename = 'strata_change'")
            return answer == "1"
        }
    }

    /// Writes rows, bypassing a container's contexts.
    static func insert(_ entity: String, _ ids: ClosedRange<Int64>, _ container: PersistentContainer) throws {
        var changes = ChangeSet()
        changes[entity].insertions = ids.map { id in
            switch entity {
            case "Account": .init(id: id, values: [.string("account \(id)"), .integer(id)])
            case "Note": .init(id: id, values: [.string("note \(id)")])
            default: .init(id: id, values: [])
            }
        }
        #expect(try container.coordinator.store.save(changes).isEmpty)
    }

    static let ways: [PostgreSQLCapabilities?] = [nil, []]

    @Test("every kind of commit notifies other containers of the changed entities", arguments: ways, Writing.allCases)
    func announced(_ capabilities: PostgreSQLCapabilities?, _ writing: Writing) async throws {
        let place = Place(capabilities: capabilities)
        let (listening, writer) = (try place.container(), try place.container())
        var received = try listening.remoteChanges().makeAsyncIterator()
        // These are the container's own changes, which are not reported to it.
        for (entity, last) in [("Account", 3), ("Note", 1), ("Tag", 1)] as [(String, Int64)] {
            try Self.insert(entity, 1...last, listening)
        }
        try writing.write(writer)
        #expect(await received.next()?.entities == writing.entities)
        // The reported changes can be read.
        for entity in writing.entities {
            let rows = try [listening, writer].map { try $0.coordinator.store.rows(StoreRequest(entity)).map(\.id) }
            #expect(rows[0] == rows[1])
        }
        for container in [listening, writer] { try container.close() }
    }

    @Test("a container is not notified of its own changes or of commits that change no row", arguments: ways)
    func untold(_ capabilities: PostgreSQLCapabilities?) async throws {
        let place = Place(capabilities: capabilities)
        let (listening, writer) = (try place.container(), try place.container())
        var received = try listening.remoteChanges().makeAsyncIterator()
        try Self.insert("Tag", 1...1, listening)
        try listening.batchInsert(into: "Tag") { try $0.insert(values: [], location: RowLocation(line: 1, record: 1)) }
        _ = try writer.batchUpdate("Account", set: ["balance": .constant(.integer(0))])
        _ = try writer.batchDelete("Tag", dryRun: true)
        _ = try writer.coordinator.store.reserveIdentifiers(1, of: "Account")
        try writer.setMetadata(["note": "kept"])
        #expect(throws: PersistenceError.self) { try Self.insert("Tag", 1...1, writer) }
        var conflict = ChangeSet()
        conflict["Tag"].deletions = [.init(id: 1, expectedVersion: 0, allowsMissingRow: false)]
        #expect(try writer.coordinator.store.save(conflict).count == 1)
        try Self.insert("Note", 1...1, writer)
        #expect(await received.next()?.entities == ["Note"])
        for container in [listening, writer] { try container.close() }
    }

    @Test(
        "an observer that reads after each notification sees all changes of many concurrent writers", arguments: ways)
    func many(_ capabilities: PostgreSQLCapabilities?) async throws {
        let place = Place(capabilities: capabilities)
        let listening = try place.container()
        let changes = try listening.remoteChanges()
        let store = listening.coordinator.store
        // This never ends if the last changes are not reported.
        async let hearing: Void = {
            for await _ in changes where try store.count(StoreRequest("Tag")) == 400 { return }
        }()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in Int64(0)..<4 {
                group.addTask {
                    let container = try place.container()
                    for id in (1...100).map({ writer * 100 + $0 }) { try Self.insert("Tag", id...id, container) }
                    try container.close()
                }
            }
            try await group.waitForAll()
        }
        try await hearing
        #expect(try store.count(StoreRequest("Tag")) == 400)
        try listening.close()
    }

    @Test(
        "a container that does not announce changes writes no change rows and notifies no other container",
        arguments: ways)
    func off(_ capabilities: PostgreSQLCapabilities?) async throws {
        let place = Place(capabilities: capabilities)
        let silent = try place.container(announces: false)
        try Self.insert("Account", 1...1, silent)
        #expect(try !place.hasMarks())
        #expect(throws: PersistenceError.self) { try silent.coordinator.store.observeRemoteChanges { _ in } }
        // A read-only container does not create the table either, and is notified of the first writer.
        let listening = try PersistentContainer(
            model: try Self.model(), place.description().readOnly, mainQueue: .private)
        #expect(try !place.hasMarks())
        var received = try listening.remoteChanges().makeAsyncIterator()
        let writer = try place.container()
        #expect(try place.hasMarks() == (capabilities == [] || !Server.isSingle))
        try Self.insert("Account", 2...2, silent)
        try Self.insert("Tag", 1...1, writer)
        #expect(await received.next()?.entities == ["Tag"])
        for container in [silent, listening, writer] { try container.close() }
        // The table is removed with the store, and is not copied.
        let copy = Place(capabilities: capabilities)
        try PersistentContainer.copyPersistentStore(
            place.description(announces: false), to: copy.description(announces: false))
        #expect(try !copy.hasMarks())
        try PersistentContainer.destroyPersistentStore(place.description())
        #expect(try Server.psql("SELECT count(*) FROM pg_tables WHERE schemaname = '\(place.schema)'") == "0")
    }

    @Test("a lost notification connection is replaced, and then all entities are reported as changed", arguments: ways)
    func lost(_ capabilities: PostgreSQLCapabilities?) async throws {
        let place = Place(capabilities: capabilities)
        let (listening, writer) = (try place.container(), try place.container())
        var received = try listening.remoteChanges().makeAsyncIterator()
        for number in Int64(1)...3 {
            // These are the connections that are not in use otherwise, including the one that receives notifications.
            _ = try Server.psql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(place.schema)'")
            #expect(await received.next()?.entities == ["Account", "Note", "Tag"])
            try Self.insert("Tag", number...number, writer)
            #expect(await received.next()?.entities == ["Tag"])
        }
        for container in [listening, writer] { try container.close() }
    }

    @Test(
        "the observer reconnects until the server is reachable again or the container is closed",
        .enabled(if: Server.isSingle), arguments: ways)
    func away(_ capabilities: PostgreSQLCapabilities?) async throws {
        let place = Place(capabilities: capabilities)
        let writer = try place.container()
        let proxy = try CuttingProxy(Server.connection ?? "")
        let name = "away \(UUID().uuidString)"
        var description = PersistentStoreDescription.postgreSQL(
            proxy.connection, schema: place.schema, applicationName: name, capabilities: capabilities)
        description.announcesChanges = true
        let listening = try PersistentContainer(model: try Self.model(), description, mainQueue: .private)
        var received = try listening.remoteChanges().makeAsyncIterator()
        func end() throws {
            proxy.refuse()
            let ofName = "FROM pg_stat_activity WHERE application_name = '\(name)'"
            _ = try Server.psql("SELECT pg_terminate_backend(pid) \(ofName)")
            _ = try Server.psql("SELECT count(*) \(ofName)", until: "0")
        }
        try end()
        try Self.insert("Tag", 1...1, writer)
        proxy.admit()
        #expect(await received.next()?.entities == ["Account", "Note", "Tag"])
        try end()
        try listening.close()
        #expect(await received.next() == nil)
        try writer.close()
    }

    @Test(
        "closing or releasing a container ends its sequence of changes, its connection and its thread", arguments: ways)
    func closed(_ capabilities: PostgreSQLCapabilities?) async throws {
        let place = Place(capabilities: capabilities)
        func count() throws -> String {
            try Server.psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(place.schema)'")
        }
        // These threads belong to earlier tests.
        while Self.listeningThreads() > 0 { await Task.yield() }
        for isClosed in [true, false] {
            var container: PersistentContainer? = try place.container()
            #expect(try count() == "2")
            #expect(Self.listeningThreads() == 1)
            var received = try #require(try container?.remoteChanges()).makeAsyncIterator()
            if isClosed { try container?.close() }
            container = nil
            #expect(await received.next() == nil)
            // The server notices the end, and the system removes the thread, a little later.
            _ = try Server.psql(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(place.schema)'", until: "0")
            while Self.listeningThreads() > 0 { await Task.yield() }
        }
    }

    /// Returns the number of this process's threads that wait for notifications; no other suite has any.
    private static func listeningThreads() -> Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.count { task in
            let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return name?.hasPrefix("strata listen") ?? false
        }
    }

    @Test("a message reports all entities if the list of changed entities does not fit", arguments: ways)
    func manyEntities(_ capabilities: PostgreSQLCapabilities?) async throws {
        let names = (1...150).map { "Entity\($0)" + String(repeating: "x", count: 50) }
        let model = try ManagedObjectModel(names.map { EntityDescription($0, []) })
        let place = Place(capabilities: capabilities, model: model)
        let (listening, writer) = (try place.container(), try place.container())
        var received = try listening.remoteChanges().makeAsyncIterator()
        for count in [3, 149] {
            var changes = ChangeSet()
            for name in names.prefix(count) { changes[name].insertions = [.init(id: Int64(count), values: [])] }
            #expect(try writer.coordinator.store.save(changes).isEmpty)
            let announced =
                capabilities == nil && Server.isSingle && count > 100 ? names : Array(names.prefix(count))
            #expect(await received.next()?.entities == Set(announced))
        }
        for container in [listening, writer] { try container.close() }
    }

    // MARK: Table of changes

    @Test("rows of the change table are reported in any order, and missed rows are reported as all entities")
    func order() async throws {
        let place = Place(capabilities: [])
        let container = try place.container()
        var received = try container.remoteChanges().makeAsyncIterator()
        let table = "\"\(place.schema)\".strata_change"
        func mark(_ number: Int, _ entities: String) throws {
            _ = try Server.psql("INSERT INTO \(table) VALUES ('other', \(number), '\(entities)', 0)")
        }
        try mark(2, "Account")
        #expect(await received.next()?.entities == ["Account"])
        try mark(1, "Note,Gone")
        #expect(await received.next()?.entities == ["Note"])
        // A round that starts after all rows were seen deletes no unseen row.
        _ = try Server.psql("UPDATE \(table) SET round = round + 1, at = now() WHERE writer = ''")
        try mark(3, "Tag")
        #expect(await received.next()?.entities == ["Tag"])
        _ = try Server.psql("UPDATE \(table) SET round = round + 2 WHERE writer = ''")
        #expect(await received.next()?.entities == ["Account", "Note", "Tag"])
        try container.close()
    }

    @Test("old rows of the change table are deleted after two rounds, not after one")
    func rounds() async throws {
        let place = Place(capabilities: [])
        let container = try place.container()
        let table = "\"\(place.schema)\".strata_change"
        try Self.insert("Account", 1...1, container)
        let marks = "SELECT count(*) FROM \(table) WHERE writer <> ''"
        #expect(try Server.psql(marks) == "1")
        // This simulates that the last round was long ago, which the container notices at its next reading.
        let ages = "UPDATE \(table) SET at = now() - interval '1 hour' WHERE writer = ''; "
        let rounds = "SELECT round FROM \(table) WHERE writer = ''"
        _ = try Server.psql(ages + rounds)
        _ = try Server.psql(rounds, until: "1")
        #expect(try Server.psql(marks) == "1")
        _ = try Server.psql(ages + rounds)
        _ = try Server.psql(rounds, until: "2")
        #expect(try Server.psql(marks) == "0")
        try container.close()
    }
}
#endif
