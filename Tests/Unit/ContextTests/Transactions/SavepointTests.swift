import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Transactions inside another transaction, which are its savepoints.
@Suite("Savepoints")
struct SavepointTests {
    struct Refusal: Error {}

    @Test("the changes of an inner block belong to the outer block, which saves them", arguments: StoreKind.allCases)
    func joined(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        try await stack.background.performTransaction { context in
            let reds = try context.insert(Team.self) { Team(id: $0, name: "Reds") }
            try context.transaction { context in
                reds.points = 2
                try context.insert(Team.self) { Team(id: $0, name: "Blues") }
            }
            #expect(try stack.container.coordinator.store.rows(StoreRequest("Team")).isEmpty)
        }
        #expect(try stack.stored(Team.self).map(\.points) == [2, 0])
    }

    @Test("an outer block that throws rolls back the changes of its inner block", arguments: StoreKind.allCases)
    func outerFails(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        await #expect(throws: Refusal.self) {
            try await stack.background.performTransaction { context in
                try context.transaction { try $0.insert(Team.self) { Team(id: $0, name: "Reds") } }
                throw Refusal()
            }
        }
        #expect(try stack.stored(Team.self).isEmpty)
        #expect(!(await stack.background.perform { $0.hasChanges }))
    }

    @Test(
        "an inner block that throws is rolled back, and the outer block's changes are kept",
        arguments: StoreKind.allCases)
    func innerFails(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let old = try stack.team("Old", points: 1)
        let deleted = try stack.team("Gone")
        let kept = try stack.team("Kept", points: 7)
        try await stack.background.performTransaction { context in
            let first = try context.insert(Team.self) { Team(id: $0, name: "First") }
            let second = try context.insert(Team.self) { Team(id: $0, name: "Second") }
            let old = try context.existingObject(with: old.id, of: Team.self)
            let kept = try context.existingObject(with: kept.id, of: Team.self)
            old.points = 5
            context.delete(try context.existingObject(with: deleted.id, of: Team.self))
            #expect(throws: Refusal.self) {
                try context.transaction { context in
                    // New, changed, deleted and untouched objects of the outer block, each changed again, and a reused
                    // identifier.
                    context.delete(first)
                    try context.insert(Team(id: first.id, name: "Usurper"))
                    second.name = "Other"
                    old.points = 6
                    old.motto = "inner"
                    kept.points = 8
                    context.delete(kept)
                    try context.insert(Team(id: deleted.id, name: "Again"))
                    try context.insert(Team.self) { Team(id: $0, name: "Third") }
                    throw Refusal()
                }
            }
            #expect(first.state == .inserted && first.name == "First")
            #expect(context.insertedObjects.map(\.rawID) == [first.rawID, second.rawID])
            #expect(second.name == "Second")
            #expect(old.points == 5 && old.motto == nil && old.state == .updated)
            #expect(kept.state == .unchanged && kept.points == 7)
            #expect(context.deletedObjects.map(\.rawID) == [deleted.id.rawValue])
            #expect(try context.existingObject(with: first.id, of: Team.self) === first)
        }
        #expect(try stack.stored(Team.self).map(\.name) == ["Old", "Kept", "First", "Second"])
        #expect(try stack.stored(Team.self).map(\.points) == [5, 7, 0, 0])
    }

    @Test(
        "a reset in an inner block keeps the outer block's objects, and a reset in the outer block detaches them",
        arguments: StoreKind.allCases)
    func reset(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let team = try stack.team("Old", points: 1)
        try await stack.background.performTransaction { context in
            let old = try context.existingObject(with: team.id, of: Team.self)
            try context.transaction { context in
                old.points = 5
                context.reset()
            }
            #expect(old.state == .unchanged && old.points == 1)
            context.reset()
            #expect(old.state == .detached)
        }
        #expect(try stack.stored(Team.self).map(\.points) == [1])
    }

    @Test("an inner block that throws rolls back the effects of its delete rules", arguments: StoreKind.allCases)
    func rules(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds")
        let ann = try stack.player("Ann", team: reds.id)
        try await stack.background.performTransaction { context in
            let player = try context.existingObject(with: ann.id, of: Player.self)
            player.name = "Anna"
            let trophy = try context.insert(Trophy.self) { Trophy(id: $0, title: "Cup", team: reds.id) }
            #expect(throws: Refusal.self) {
                try context.transaction { context in
                    try context.delete(reds)
                    try context.processPendingChanges()
                    #expect(player.team == nil)
                    #expect(trophy.state == .detached)
                    throw Refusal()
                }
            }
            #expect(player.team == reds.id && player.name == "Anna")
            #expect(trophy.state == .inserted)
        }
        #expect(try stack.stored(Trophy.self).map(\.title) == ["Cup"])
        #expect(try stack.stored(Player.self).map(\.name) == ["Anna"])
    }

    @Test(
        "join rows and counterparts of the outer block survive the rollback of an inner block",
        arguments: StoreKind.allCases)
    func relationships(_ kind: StoreKind) async throws {
        let stack = try kind.stack(try Library.model())
        try Library.fill(stack.container.coordinator.store)
        try await stack.background.performTransaction { context in
            let sappho = try context.existingObject(with: LibraryID(unchecked: 3), of: Author.self)
            let virgil = try context.existingObject(with: LibraryID(unchecked: 2), of: Author.self)
            try context.add(virgil, to: \.friends, of: sappho)
            let contract = try #require(try context.object(\.contract, of: virgil))
            contract.author = sappho.id
            #expect(throws: Refusal.self) {
                try context.transaction { context in
                    try context.remove(virgil, from: \.friends, of: sappho)
                    let other = try context.insert(Contract.self) { Contract(id: $0, fee: 1, author: virgil.id) }
                    other.fee = 2
                    contract.author = LibraryID(unchecked: 1)
                    throw Refusal()
                }
            }
            #expect(try context.objects(\.friends, of: sappho).map(\.name) == ["Homer", "Virgil"])
            #expect(try context.object(\.contract, of: sappho) === contract)
            #expect(try context.object(\.contract, of: virgil) == nil)
        }
        #expect(try stack.stored(Contract.self).map(\.author.rawValue) == [3])
    }

    @Test(
        "a counterpart that a rollback restored can be assigned to another object", arguments: StoreKind.allCases)
    func counterparts(_ kind: StoreKind) async throws {
        let stack = try kind.stack(try Company.model())
        try await stack.background.performTransaction { context in
            try context.insert(Company.Person(id: 1, name: "Ada"))
            let first = try context.insert(Company.Passport(id: 1, number: "P1", holder: 1))
            let second = try context.insert(Company.Passport(id: 2, number: "P2", holder: nil))
            #expect(throws: Refusal.self) {
                try context.transaction { _ in
                    second.holder = 1
                    #expect(first.holder == nil)
                    throw Refusal()
                }
            }
            #expect(first.holder == 1 && second.holder == nil)
            let third = try context.insert(Company.Passport(id: 3, number: "P3", holder: nil))
            third.holder = 1
            #expect(first.holder == nil)
        }
        #expect(try stack.stored(Company.Passport.self).map { $0.holder?.rawValue } == [nil, nil, 1])
    }
}
