import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

@Suite("Contexts")
struct ContextTests {
    @Test(
        "an inserted and saved object is read in another context under the same identifier",
        arguments: StoreKind.allCases)
    func insert(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let saved = try await stack.background.perform { context in
            #expect(!context.hasChanges)
            let team = try context.insert(Team.self) { Team(id: $0, name: "Reds") }
            let id = team.id
            #expect(team.state == .inserted && team.hasChanges && context.hasChanges)
            #expect(team.committedRecord == nil)
            let changes = try context.save()
            #expect(changes.inserted == ["Team": [id.rawValue]])
            #expect(team.state == .unchanged && team.id == id && !context.hasChanges)
            #expect(team.committedRecord == team.record)
            return team.record
        }
        #expect(saved.id.rawValue == 1)
        let read = try stack.container.mainContext.performAndWait {
            try $0.existingObject(with: saved.id, of: Team.self).record
        }
        #expect(read == saved)
    }

    @Test(
        "reading an object that does not exist throws an error that names its entity and identifier",
        arguments: StoreKind.allCases)
    func notFound(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try #require(TeamID(rawValue: 9))
        let error = try persistenceError {
            try stack.background.performAndWait { _ = try $0.existingObject(with: id, of: Team.self) }
        }
        #expect(error.code == .objectNotFound)
        #expect("\(error)" == "Team: there is no object 9")
    }

    @Test(
        "writing an equal value is no change, and writing a different value is a change",
        arguments: StoreKind.allCases)
    func change(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds", motto: "Up").id
        try stack.background.performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            team.name = "Reds"
            team.motto = "Up"
            #expect(!team.hasChanges && !context.hasChanges)
            #expect(try context.save().isEmpty)
            team.name = "Blues"
            team.motto = nil
            #expect(team.hasChanges && context.hasChanges && team.committedRecord?.name == "Reds")
            #expect(try context.save().updated == ["Team": [id.rawValue]])
            #expect(!context.hasChanges)
        }
        #expect(try stack.stored() == [Team(id: id, name: "Blues", motto: nil)])
    }

    @Test(
        "replacing a text by a canonically equal text with different bytes is a change", arguments: StoreKind.allCases)
    func canonicalChange(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("\u{e9}").id
        try stack.background.performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            team.name = "e\u{301}"
            #expect(context.hasChanges)
            try context.save()
        }
        #expect(try stack.stored(Team.self).map { Array($0.name.utf8) } == [[0x65, 0xCC, 0x81]])
    }

    @Test(
        "an update closure changes several properties together, and changes none if it throws",
        arguments: StoreKind.allCases)
    func update(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        try stack.background.performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            try team.update { team in
                team.name = "Blues"
                team.points = 3
            }
            #expect(team.record == Team(id: id, name: "Blues", points: 3))
            #expect(throws: ValueError.self) {
                try team.update { team in
                    team.points = 9
                    throw ValueError("no")
                }
            }
            #expect(team.points == 3)
            try context.save()
        }
        #expect(try stack.stored() == [Team(id: id, name: "Blues", points: 3)])
    }

    @Test("inserting a second object with the same identifier into a context throws", arguments: StoreKind.allCases)
    func twoWithOneID(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try #require(TeamID(rawValue: 40))
        try stack.background.performAndWait { context in
            try context.insert(Team(id: id, name: "a"))
            let error = try persistenceError { try context.insert(Team(id: id, name: "b")) }
            #expect("\(error)" == "Team.id: the identifier 40 already belongs to another object")
            try context.save()
            #expect(try context.newID(for: Team.self).rawValue == 41)
        }
    }

    @Test(
        "a context reserves identifiers in blocks, of which the first has 32 and the second 64",
        arguments: StoreKind.allCases)
    func blocks(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let first = try stack.background.performAndWait { context in
            try (1...33).map { _ in try context.newID(for: Team.self).rawValue }
        }
        let other = stack.container.newBackgroundContext()
        let second = try other.performAndWait { try $0.newID(for: Team.self).rawValue }
        #expect(first == Array(1...33))
        #expect(second == 97, "32 and then 64 were taken")
    }

    @Test(
        "perform and performAndWait return the result of their closure and rethrow its error",
        arguments: StoreKind.allCases)
    func results(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        #expect(await stack.background.perform { _ in 3 } == 3)
        #expect(stack.background.performAndWait { _ in 4 } == 4)
        await #expect(throws: ValueError("no")) { try await stack.background.perform { _ in throw ValueError("no") } }
        #expect(throws: ValueError("no")) { try stack.background.performAndWait { _ in throw ValueError("no") } }
        let nested = stack.background.performAndWait { _ in stack.background.performAndWait { _ in 5 } }
        #expect(nested == 5)
    }

    @Test("the main context may wait for a background context", arguments: StoreKind.allCases)
    func mainWaits(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let name = try stack.container.mainContext.performAndWait { _ in
            try stack.background.performAndWait { context in
                try context.insert(Team.self) { Team(id: $0, name: "Reds") }.name
            }
        }
        #expect(name == "Reds")
    }

    @Test("new contexts have the documented default merge policy and automatic merging", arguments: StoreKind.allCases)
    func defaults(_ kind: StoreKind) async throws {
        let container = try kind.league().container
        #expect(await container.backgroundContext.mergePolicy == .mergeByPropertyObjectTrump)
        #expect(await container.mainContext.mergePolicy == .error)
        #expect(container.mainContext.automaticallyMergesChangesFromParent)
        #expect(!container.backgroundContext.automaticallyMergesChangesFromParent)
        #expect(container.mainContext === container.mainContext)
        let other = container.newBackgroundContext()
        #expect(await other.mergePolicy == .error && !other.automaticallyMergesChangesFromParent)
    }
}
