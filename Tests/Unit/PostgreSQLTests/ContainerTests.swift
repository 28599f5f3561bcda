#if PostgreSQL
import Foundation
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// The documentation's example of a store on a server, which is only compiled.
enum Documented {
    static func container(_ model: ManagedObjectModel) throws -> PersistentContainer {
        let tenant = PersistentStoreDescription.postgreSQL(
            "postgresql://db.example.com/orders?sslmode=verify-full", schema: "acme")
        let container = try PersistentContainer(model: model, tenant)
        return container
    }
}

@Suite("Containers on the server", .enabled(if: Server.connection != nil, "make test-postgres starts a server"))
struct ContainerTests {
    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel([
            EntityDescription(
                "Account",
                [
                    .attribute(AttributeDescription("name", .string, isUnique: true)),
                    .attribute(AttributeDescription("balance", .integer64)),
                ])
        ])
    }

    private static func description(_ schema: String = "tenant \(UUID().uuidString)") -> PersistentStoreDescription {
        .postgreSQL(Server.connection ?? "", schema: schema)
    }

    private static func accounts(_ container: PersistentContainer) throws -> [[StoredValue]] {
        try container.coordinator.store.rows(StoreRequest("Account")).map(\.values)
    }

    @Test("each schema is a separate store, and a new container reads the rows of an earlier container")
    func tenants() throws {
        let (first, second) = (Self.description(), Self.description())
        for (number, description) in [first, second].enumerated() {
            let container = try PersistentContainer(model: try Self.model(), description, mainQueue: .private)
            try container.mainContext.performAndWait { context in
                let accounts = try container.model.dynamicEntity("Account")
                let name = try accounts.attribute("name", as: String.self)
                let balance = try accounts.attribute("balance", as: Int64.self)
                try context.transaction { unit in
                    _ = try unit.insert(into: accounts) { id in
                        try DynamicRecord(
                            accounts, id: id, [.set(name, to: "of tenant \(number)"), .set(balance, to: Int64(number))])
                    }
                }
            }
            try container.close()
        }
        for (number, description) in [first, second].enumerated() {
            let container = try PersistentContainer(model: try Self.model(), description, mainQueue: .private)
            #expect(try Self.accounts(container) == [[.string("of tenant \(number)"), .integer(Int64(number))]])
            try container.close()
        }
    }

    @Test("if two containers change one row, the later save is a conflict and the first change stays")
    func conflict() throws {
        let description = Self.description()
        let model = try Self.model()
        let containers = try (0..<2).map { _ in
            try PersistentContainer(model: model, description, mainQueue: .private)
        }
        var first = ChangeSet()
        first["Account"].insertions = [.init(id: 1, values: [.string("a"), .integer(0)])]
        #expect(try containers[0].coordinator.store.save(first).isEmpty)
        let stored = try #require(try containers[1].coordinator.store.rows(StoreRequest("Account")).first)
        for (number, container) in containers.enumerated() {
            var changes = ChangeSet()
            changes["Account"].updates = [
                .init(
                    id: 1, expectedVersion: stored.version, values: [.string("a"), .integer(Int64(number + 1))],
                    changedColumns: [1])
            ]
            let conflicts = try container.coordinator.store.save(changes)
            #expect(conflicts.count == number)
        }
        #expect(try Self.accounts(containers[1]) == [[.string("a"), .integer(1)]])
        for container in containers { try container.close() }
    }

    @Test("a bulk insert of many blocks stores all rows or none")
    func bulk() throws {
        let container = try PersistentContainer(model: try Self.model(), Self.description(), mainQueue: .private)
        let store = container.coordinator.store
        func insert(_ names: [String]) throws {
            try store.writeRows { writer in
                let inserter = try writer.inserter(of: "Account", InsertOptions())
                var block = RowBlock(of: inserter.entity)
                for (number, name) in names.enumerated() {
                    block.beginRow(id: nil, location: RowLocation(line: number + 1, record: number + 1))
                    block.set(.string(name), column: 0)
                    block.set(.integer(Int64(number)), column: 1)
                }
                try inserter.insert(&block)
            }
        }
        let names = (0..<3_333).map { "name \($0)" }
        try insert(names)
        #expect(try store.count(StoreRequest("Account")) == 3_333)
        // One identifier exists already, in the middle of a group, and one occurs twice.
        for wrong in [1_234, 3_332] {
            let error = #expect(throws: PersistenceError.self) {
                try insert((0..<3_333).map { $0 == wrong ? "name 7" : "other \($0)" })
            }
            #expect(error?.code == .uniqueness)
            #expect(error?.attribute == "name")
            #expect(error?.location?.record == wrong + 1)
        }
        let error = #expect(throws: PersistenceError.self) { try insert(["new", "newer", "new"]) }
        #expect(error?.location?.record == 3)
        #expect(try store.count(StoreRequest("Account")) == 3_333)
        try insert(["new"])
        let last = try #require(try store.rows(StoreRequest("Account")).last)
        // The identifiers have no gaps: the rows that were rolled back used no number.
        #expect(last.id == 3_334)
        try container.close()
    }

    @Test(
        "a model name that the server cannot use is rejected with entity and attribute",
        arguments: [
            ("Account", String(repeating: "n", count: 64), "64 bytes"), ("Account", "xmin", "in every table"),
            (String(repeating: "E", count: 70), "name", "70 bytes"),
        ])
    func names(entity: String, attribute: String, reason: String) throws {
        let model = try ManagedObjectModel([
            EntityDescription(entity, [.attribute(AttributeDescription(attribute, .string))])
        ])
        let description = Self.description()
        let error = #expect(throws: PersistenceError.self) {
            try PersistentContainer(model: model, description, mainQueue: .private)
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.entity == entity)
        #expect(error?.attribute == (entity == "Account" ? attribute : nil))
        #expect(error?.message.contains(reason) == true)
        let missing = #expect(throws: PersistenceError.self) { try PersistentContainer.metadata(of: description) }
        #expect(missing?.code == .storeNotFound)
    }

    @Test("the metadata of a store is readable without opening the store, and a read-only store rejects writes")
    func metadata() throws {
        let description = Self.description()
        let container = try PersistentContainer(model: try Self.model(), description, mainQueue: .private)
        try container.setMetadata(["note": "kept"])
        let metadata = try PersistentContainer.metadata(of: description)
        #expect(metadata.information.identifier == (try container.coordinator.store.information().identifier))
        #expect(metadata.texts == ["note": "kept"])
        #expect(try metadata.model?.json() == container.model.json())
        try container.close()
        let reading = try PersistentContainer(model: try Self.model(), description.readOnly, mainQueue: .private)
        #expect(try Self.accounts(reading).isEmpty)
        var changes = ChangeSet()
        changes["Account"].insertions = [.init(id: 1, values: [.string("a"), .integer(0)])]
        let error = #expect(throws: PersistenceError.self) { try reading.coordinator.store.save(changes) }
        #expect(error?.code == .readOnly)
        try reading.close()
    }

    @Test("a connection string may contain one percent-encoded schema, which the store decodes and removes")
    func schemas() throws {
        let settings = try PostgreSQLSettings(url: "postgresql://h/d?schema=a%20b&sslmode=require")
        #expect(settings.schema == "a b")
        #expect(settings.connection == "postgresql://h/d?sslmode=require")
        #expect(try PostgreSQLSettings(url: "postgresql://h/d").schema == "public")
        #expect(try PostgreSQLSettings(url: "postgresql://h/d?schema=a").connection == "postgresql://h/d")
        for wrong in [
            "postgresql://h/d?schema=a&schema=b", "postgresql://h/d?schema=%zz", "postgresql://h/d?schema=%+1",
            "postgresql://h/d?schema=%2",
        ] {
            let error = #expect(throws: PersistenceError.self) { try PostgreSQLSettings(url: wrong) }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test("idle connections that the server closed are replaced without an error")
    func ended() throws {
        let name = "ended \(UUID().uuidString.prefix(8))"
        let container = try PersistentContainer(
            model: try Self.model(), .postgreSQL(Server.connection ?? "", schema: name, applicationName: name),
            mainQueue: .private)
        let store = container.coordinator.store
        // Several connections are used, because each snapshot has one.
        for snapshot in try store.openSnapshots(3) { snapshot.close() }
        for _ in 0..<2 {
            let ended = try Server.psql(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = '\(name)'")
            #expect(ended != "0")
            #expect(
                try Server.psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(name)'", until: "0")
                    == "0")
            #expect(try store.count(StoreRequest("Account")) == 0)
            _ = try store.reserveIdentifiers(1, of: "Account")
        }
        try container.close()
    }

    @Test("an open store cannot be removed, and a closed store can be removed")
    func destroyed() throws {
        let description = Self.description()
        let container = try PersistentContainer(model: try Self.model(), description, mainQueue: .private)
        let error = #expect(throws: PersistenceError.self) {
            try PersistentContainer.destroyPersistentStore(description)
        }
        #expect(error?.code == .locked)
        #expect(try Self.accounts(container).isEmpty)
        try container.close()
        try PersistentContainer.destroyPersistentStore(description)
        let missing = #expect(throws: PersistenceError.self) { try PersistentContainer.metadata(of: description) }
        #expect(missing?.code == .storeNotFound)
    }

    @Test(
        "schema names with a special meaning for the server are rejected",
        arguments: ["$user", "pg_x", "information_schema", "a\0b"])
    func otherSchemas(_ schema: String) throws {
        let error = #expect(throws: PersistenceError.self) {
            try PersistentContainer(model: try Self.model(), Self.description(schema), mainQueue: .private)
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test("a dangling reference among thousands of valid references is reported with its record")
    func references() throws {
        let model = try ManagedObjectModel([
            EntityDescription(
                "Part",
                [
                    .relationship(
                        RelationshipDescription(
                            "whole", to: "Part", .toOne, inverse: "parts", isOptional: true)),
                    .relationship(RelationshipDescription("parts", to: "Part", .toMany, inverse: "whole")),
                ])
        ])
        let container = try PersistentContainer(model: model, Self.description(), mainQueue: .private)
        let store = container.coordinator.store
        func insert(_ wholes: [Int64?]) throws {
            try store.writeRows { writer in
                let inserter = try writer.inserter(of: "Part", InsertOptions())
                var block = RowBlock(of: inserter.entity)
                for (number, whole) in wholes.enumerated() {
                    block.beginRow(id: nil, location: RowLocation(line: number + 1, record: number + 1))
                    block.set(whole.map(StoredValue.integer) ?? .null, column: 0)
                }
                try inserter.insert(&block)
            }
        }
        try insert([Int64?](repeating: nil, count: 6_000))
        // These are more rows than are looked up one by one, so that all are read.
        try insert((1...6_000).map { $0 })
        let error = #expect(throws: PersistenceError.self) {
            try insert((1...6_000).map { $0 == 5_555 ? 99_999 : $0 })
        }
        #expect(error?.code == .danglingReference)
        #expect(error?.location?.record == 5_555)
        #expect(try store.count(StoreRequest("Part")) == 12_000)
        try container.close()
    }
}
#endif
