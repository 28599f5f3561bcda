import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import Testing

/// A new object overwrites an existing one only if a merge policy requires it.
@Suite("Upserts by the merge policy")
struct ImplicitUpsertTests {
    @Test(
        "a transaction of the background context that inserts an existing unique value throws",
        arguments: StoreKind.allCases)
    func refused(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let ann = try stack.player("Ann", number: 7, salary: 5)
        let error = await #expect(throws: PersistenceError.self) {
            try await stack.background.performTransaction { context in
                _ = try context.insert(Player.self) { Player(id: $0, name: "Bob", number: 7) }
            }
        }
        #expect(error?.code == .uniqueness)
        #expect(error?.conflicts.map(\.owner) == [ann.id.rawValue])
        #expect(try stack.stored(Player.self) == [ann])
    }

    @Test(
        "a save of the background context merges the changes of another writer to its object",
        arguments: StoreKind.allCases)
    func versions(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds")
        try await stack.background.perform { context in
            let team = try context.existingObject(with: reds.id, of: Team.self)
            var theirs = ChangeSet()
            var values = try Team.entity.row(of: reds).values
            values[1] = .string("theirs")
            theirs["Team"].updates = [
                .init(id: reds.id.rawValue, expectedVersion: team.version, values: values, changedColumns: [1])
            ]
            #expect(try stack.container.coordinator.store.save(theirs).isEmpty)
            team.points = 3
            try context.save()
        }
        #expect(try stack.stored(Team.self) == [Team(id: reds.id, name: "Reds", motto: "theirs", points: 3)])
    }

    @Test(
        "a new object is upserted if the save's or the context's policy says so, and its stored object is found",
        arguments: StoreKind.allCases)
    func asked(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let ann = try stack.player("Ann", number: 7)
        try await stack.background.perform { context in
            let bob = try context.insert(Player.self) { Player(id: $0, name: "Bob", number: 7) }
            try context.save(mergePolicy: .mergeByPropertyObjectTrump)
            #expect(bob.state == .detached)
            let holder = try context.existingObject(holding: bob)
            #expect(holder.id == ann.id && holder.name == "Bob")
            #expect(try context.existingObject(holding: holder) === holder)
            context.mergePolicy = .mergeByPropertyObjectTrump
            let carl = try context.insert(Player.self) { Player(id: $0, name: "Carl", number: 7) }
            try context.save()
            #expect(try context.existingObject(holding: carl) === holder)
            #expect(holder.name == "Carl")
        }
    }

    @Test(
        "a unit of work that upserts a new record returns the stored record with the new values",
        arguments: StoreKind.allCases)
    func askedOverValues(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let ann = try stack.player("Ann", number: 7)
        let records: any RecordContext = stack.background
        let bob = try await records.transaction(mergePolicy: .mergeByPropertyObjectTrump) { unit in
            try unit.insert(Player.self) { Player(id: $0, name: "Bob", number: 7) }
        }
        let holders = try await records.fetch(FetchRequest<Player>(where: #Predicate { $0.number == 7 }))
        #expect(holders.map(\.id) == [ann.id] && holders.map(\.name) == ["Bob"])
        #expect(bob.id == ann.id && bob.name == "Bob")
    }
}
