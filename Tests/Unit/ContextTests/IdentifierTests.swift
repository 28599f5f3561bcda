import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Identifiers that the caller chose, mixed with those that a context assigns.
@Suite("Chosen identifiers")
struct IdentifierTests {
    private static func team(_ id: Int64, _ name: String) throws -> Team {
        Team(id: try #require(TeamID(rawValue: id)), name: name)
    }

    @Test(
        "a context does not assign an identifier of its block that the caller chose for an object",
        arguments: StoreKind.allCases)
    func ownBlock(_ kind: StoreKind) throws {
        let stack = try kind.league()
        try stack.background.performAndWait { context in
            try context.insert(Team.self) { Team(id: $0, name: "A") }
            try context.insert(Self.team(3, "Chosen"))
            try context.save()
            for name in ["B", "C"] { try context.insert(Team.self) { Team(id: $0, name: name) } }
            try context.save()
        }
        #expect(try stack.stored(Team.self).map(\.id.rawValue) == [1, 3, 4, 5])
    }

    @Test(
        "a context starts a new block if the caller chose the last identifier of its block",
        arguments: StoreKind.allCases)
    func lastOfBlock(_ kind: StoreKind) throws {
        let stack = try kind.league()
        try stack.background.performAndWait { context in
            try context.insert(Team.self) { Team(id: $0, name: "A") }
            try context.insert(Self.team(32, "Chosen"))
            try context.insert(Team.self) { Team(id: $0, name: "B") }
            try context.save()
        }
        #expect(try stack.stored(Team.self).map(\.id.rawValue) == [1, 32, 33])
    }

    @Test("a context skips a chosen identifier that is in a later block", arguments: StoreKind.allCases)
    func ahead(_ kind: StoreKind) throws {
        let stack = try kind.league()
        try stack.background.performAndWait { context in
            try context.insert(Self.team(40, "Chosen"))
            for number in 1...60 { try context.insert(Team.self) { Team(id: $0, name: "T\(number)") } }
            try context.save()
        }
        #expect(try stack.stored(Team.self).map(\.id.rawValue) == Array(1...61))
    }

    @Test(
        "a context skips the identifiers of its block that another context chose and saved",
        arguments: StoreKind.allCases)
    func othersChoice(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let first = try await stack.background.insert(Team.self) { Team(id: $0, name: "A") }
        #expect(first.id.rawValue == 1)
        try stack.container.newBackgroundContext().performAndWait { context in
            for id in Int64(2)...50 { try context.insert(Self.team(id, "Import")) }
            try context.save()
        }
        let next = try await stack.background.insert(Team.self) { Team(id: $0, name: "B") }
        #expect(next.id.rawValue == 51)
    }

    @Test("a unit of work assigns no identifier that a bulk insert has used", arguments: StoreKind.allCases)
    func bulkWrite(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let records: any RecordContext = stack.background
        let first = try await records.insert(Team.self) { Team(id: $0, name: "A") }
        #expect(first.id.rawValue == 1)
        try stack.container.batchInsert(
            Team.entity, records: try (Int64(2)...40).map { try Self.team($0, "Import") })
        let units = [
            try await records.transaction { try $0.insert(Team.self) { Team(id: $0, name: "B") } },
            try await records.transaction { try $0.insert(Team.self) { Team(id: $0, name: "C") } },
            try await stack.background.performTransaction { context in
                try context.insert(Team.self) { Team(id: $0, name: "D") }.record
            },
        ]
        #expect(units.map(\.id.rawValue) == [41, 42, 43])
        // A block is used partly here, inside one unit of work.
        try stack.container.batchInsert(Team.entity, records: [try Self.team(60, "Import")])
        let many = try await records.transaction { unit in
            try (1...40).map { _ in try unit.insert(Team.self) { Team(id: $0, name: "E") } }
        }
        #expect(Set(many.map(\.id.rawValue)).count == 40 && !many.contains { $0.id.rawValue == 60 })
        #expect(try stack.stored(Team.self).count == 84)
    }

    @Test("a unit of work assigns no identifier that another process has used")
    func otherProcess() async throws {
        let folder = try TemporaryFolder()
        let model = try League.model()
        let store = PersistentStoreDescription.sqlite(at: folder.file("league.sqlite"))
        let container = try PersistentContainer(model: model, store, mainQueue: .private)
        let records: any RecordContext = container.backgroundContext
        _ = try await records.insert(Team.self) { Team(id: $0, name: "A") }
        let other = try PersistentContainer(model: model, store, mainQueue: .private)
        try other.batchInsert(Team.entity, records: try (Int64(2)...40).map { try Self.team($0, "Import") })
        let team = try await records.transaction { try $0.insert(Team.self) { Team(id: $0, name: "B") } }
        #expect(team.id.rawValue == 41)
    }

    @Test(
        "an insert throws if the closure returns a record with an identifier that exists already",
        arguments: StoreKind.allCases)
    func makesChoice(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let taken = try stack.team("Reds")
        let error = await #expect(throws: PersistenceError.self) {
            try await stack.background.insert(Team.self) { _ in Team(id: taken.id, name: "B") }
        }
        #expect(error?.code == .uniqueness && error?.entity == "Team" && error?.attribute == "id")
        #expect(error?.message == "the identifier 1 already belongs to another object")
    }

    @Test("an object that is deleted, inserted again and deleted again is not found", arguments: StoreKind.allCases)
    func deletedTwice(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let team = try stack.team("Reds")
        try stack.background.performAndWait { context in
            try context.delete(team)
            context.delete(try context.insert(Team(id: team.id, name: "Blues")))
            let error = try persistenceError { _ = try context.existingObject(with: team.id, of: Team.self) }
            #expect(error.code == .objectNotFound)
            #expect("\(error)" == "Team: there is no object 1")
            #expect(try !context.delete(team))
            #expect(try context.count(FetchRequest<Team>()) == 0)
            try context.save()
        }
        #expect(try stack.stored(Team.self).isEmpty)
    }
}
