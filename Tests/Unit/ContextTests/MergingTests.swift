import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// The main context merges the saves of other contexts.
@Suite("Automatic merging")
struct MergingTests {
    @Test(
        "the main context merges saves automatically, on the main queue and on a private queue",
        arguments: StoreKind.allCases, [PersistentContainer.MainQueue.private, .main])
    func merges(_ kind: StoreKind, _ queue: PersistentContainer.MainQueue) async throws {
        // main            | background       | store
        // reads Reds, 0   |                  | Reds, 0 points
        // name = Blues    |                  |
        //                 | points = 5, save | Reds, 5 points
        // sees Blues, 5   |                  |
        // save            |                  | Blues, 5 points
        let stack = try kind.league(mainQueue: queue)
        let (changed, untouched, deleted) = (try stack.team("Reds"), try stack.team("Greens"), try stack.team("Gone"))
        let main = stack.container.mainContext
        #expect(main.usesMainQueue == (queue == .main))
        let keeper = Keeper()
        try await main.perform { context in
            for team in try context.fetch(FetchRequest<Team>()) { keeper.keep(team) }
            context.registeredObject(for: changed.id, of: Team.self)?.name = "Blues"
        }
        try await stack.background.perform { context in
            for team in try context.fetch(FetchRequest<Team>()) { team.points = 5 }
            try context.delete(deleted)
            try context.save()
        }
        try await main.perform { context in
            let team = try #require(context.registeredObject(for: changed.id, of: Team.self))
            #expect(team.name == "Blues" && team.points == 5 && team.state == .updated)
            #expect(context.registeredObject(for: untouched.id, of: Team.self)?.points == 5)
            #expect(context.registeredObject(for: deleted.id, of: Team.self) == nil)
            try context.save()
            keeper.release()
        }
        #expect(try stack.stored(Team.self).map(\.name) == ["Blues", "Greens"])
        #expect(try stack.stored(Team.self).map(\.points) == [5, 5])
    }

    @Test("a context still merges saves after it was used as a record context", arguments: StoreKind.allCases)
    func mergesAfterRecords(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        let main = stack.container.mainContext
        let keeper = Keeper()
        try await main.perform { keeper.keep(try $0.existingObject(with: id, of: Team.self)) }
        #expect(try await main.count(FetchRequest<Team>()) == 1)
        _ = try await main.insert(Team.self) { Team(id: $0, name: "Blues") }
        _ = try await stack.background.update(Team.self, id: id) { $0.points = 5 }
        await main.perform { context in
            #expect(context.registeredObject(for: id, of: Team.self)?.points == 5)
            keeper.release()
        }
    }

    @Test(
        "a context without automatic merging keeps the values of its objects until it fetches them again",
        arguments: StoreKind.allCases)
    func repeatableReads(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        try stack.background.performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            try stack.container.coordinator.changeTeam(id, ["points": .integer(5)])
            #expect(team.points == 0)
            #expect(try context.existingObject(with: id, of: Team.self).points == 0)
            #expect(try context.fetch(FetchRequest<Team>()).map(\.points) == [5])
            #expect(team.points == 5)
        }
    }

    @Test("a fetch does not overwrite an object that has changes", arguments: StoreKind.allCases)
    func fetchKeepsChanges(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        try stack.background.performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            team.name = "Blues"
            try stack.container.coordinator.changeTeam(id, ["points": .integer(5)])
            #expect(try context.fetch(FetchRequest<Team>()).map(\.name) == ["Blues"])
            #expect(team.points == 0)
        }
    }

    @Test(
        "a save of a change to an object that another writer deleted causes a conflict", arguments: StoreKind.allCases)
    func deletedElsewhere(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let team = try stack.team("Reds")
        let main = stack.container.mainContext
        try main.performAndWait { try $0.existingObject(with: team.id, of: Team.self).points = 3 }
        try stack.background.performAndWait { context in
            try context.delete(team)
            try context.save()
        }
        try main.performAndWait { context in
            #expect(context.hasChanges)
            let error = try persistenceError { try context.save() }
            #expect(error.code == .conflict && error.conflicts.first?.stored == nil)
        }
    }

    @Test(
        "saves of other contexts during the main context's work are merged before its next work",
        arguments: StoreKind.allCases)
    func upserted(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        let main = stack.container.mainContext
        let keeper = Keeper()
        try main.performAndWait { context in
            let team = try context.existingObject(with: id, of: Team.self)
            try stack.background.performAndWait { background in
                for points in 1...50 {
                    try background.existingObject(with: id, of: Team.self).points = points
                    try background.save()
                }
            }
            main.performAndWait { _ in }
            #expect(team.points == 0, "nothing changes under a closure")
            keeper.keep(team)
        }
        #expect(main.performAndWait { $0.registeredObject(for: id, of: Team.self)?.points } == 50)
        main.performAndWait { _ in keeper.release() }
    }

    @Test("a background context merges saves if automatic merging is enabled", arguments: StoreKind.allCases)
    func asked(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let id = try stack.team("Reds").id
        let other = stack.container.newBackgroundContext(automaticallyMergesChangesFromParent: true)
        let keeper = Keeper()
        try other.performAndWait { keeper.keep(try $0.existingObject(with: id, of: Team.self)) }
        try stack.background.performAndWait { context in
            try context.existingObject(with: id, of: Team.self).points = 2
            try context.save()
        }
        #expect(other.performAndWait { $0.registeredObject(for: id, of: Team.self)?.points } == 2)
        other.performAndWait { _ in keeper.release() }
    }
}
